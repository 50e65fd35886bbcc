import TapeFormat

/// Matches the elements of a pushed array with those of one of the app's own arrays, by what identifies them.
///
/// Elements match by their `id` (or `_id`), values by their key. None ever matches by its index.
struct Counterparts {
    private let names: [JSON?]
    private let current: [JSON: JSON?]

    /// - Parameter arePaired: Whether keys and values take turns; nil if that is to be found out.
    init(of pushed: [JSON], in current: [JSON], arePaired: Bool? = nil) {
        guard !current.isEmpty else {
            self.names = []
            self.current = [:]
            return
        }
        // Of an array's elements, only values below a key are redacted one by one.
        let hasObjects = stride(from: 1, to: pushed.count, by: 2).contains { pushed[$0].isRedacted }
        let isPaired =
            arePaired ?? (Self.arePairs(pushed, orObjects: hasObjects) && Self.arePairs(current, orObjects: hasObjects))
        let secrets =
            isPaired && hasObjects
            ? stride(from: 0, to: pushed.count, by: 2).reduce(into: []) { pushed[$1].addRedactedNames(to: &$0) } : []
        func names(_ array: [JSON]) -> [JSON?] {
            array.indices.map { index in
                guard isPaired else {
                    let id = array[index]["id"] ?? array[index]["_id"]
                    return id == .null ? nil : id
                }
                if !index.isMultiple(of: 2) { return array[index - 1].redacting(secrets) }
                // A key must not have the name of its value.
                return secrets.isEmpty ? nil : [array[index].redacting(secrets)]
            }
        }
        self.names = names(pushed)
        // Elements with the same name are ambiguous and match nothing.
        self.current = Dictionary(
            zip(names(current), current).compactMap { name, value in name.map { ($0, value) } },
            uniquingKeysWith: { _, _ in nil })
    }

    subscript(index: Int) -> JSON? {
        names.indices.contains(index) ? names[index].flatMap { current[$0] ?? nil } : nil
    }

    /// Whether the array may alternate keys and values: every other element is a text or a number.
    ///
    /// - Parameter orObjects: Whether it may be an object too, such as the case of an enum.
    private static func arePairs(_ array: [JSON], orObjects: Bool) -> Bool {
        array.count.isMultiple(of: 2)
            && stride(from: 0, to: array.count, by: 2).allSatisfy { index in
                switch array[index] {
                case .string, .number: true
                case .object: orObjects && !array[index].isRedacted
                case .null, .bool, .array: false
                }
            }
    }
}
