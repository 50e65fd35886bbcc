import TapeFormat

extension JSON {
    /// A pushed state with the app's current values in the place of ``Redacted`` ones.
    ///
    /// Members of an object, and so entries of a dictionary, match by name. Elements of an array match by their `id`
    /// (or `_id`). In an array of alternating keys and values, a value matches by its key. Elements never match by
    /// index.
    ///
    /// - Parameters:
    ///   - current: The app's state; nil if it can't be read.
    ///   - missing: Returns the value for a place for which the app has none.
    /// - Throws: `Pushed.Failure` with code `redacted` and the pointer of such a place, unless `missing` has a value.
    func keeping(
        _ current: JSON?, at path: Pointer = Pointer(), missing: (Pointer) -> JSON? = { _ in nil }
    ) throws(Pushed.Failure) -> JSON {
        guard redactedPlace != nil else { return self }
        if isRedacted {
            if let value = current ?? missing(path) { return value }
            let message = "a secret was left out of the tape here, and the app has none to keep in its place"
            throw Pushed.Failure(code: "redacted", message: message, path: path.description)
        }
        switch self {
        case .object(var object):
            for member in object {
                object[member.key] = try member.value.keeping(
                    current?[member.key], at: path.appending(member.key), missing: missing)
            }
            return .object(object)
        case .array(var elements):
            let counterparts = Counterparts(of: elements, in: current?.array ?? [])
            for index in elements.indices {
                elements[index] = try elements[index].keeping(
                    counterparts[index], at: path.appending(index), missing: missing)
            }
            return .array(elements)
        default: return self
        }
    }
}

/// Matches the elements of a pushed array with those of the app's current array.
private struct Counterparts {
    private let names: [JSON?]
    private let current: [JSON: JSON?]

    init(of pushed: [JSON], in current: [JSON]) {
        let isPaired = Self.arePairs(pushed) && Self.arePairs(current)
        func names(_ array: [JSON]) -> [JSON?] {
            array.indices.map { index in
                if isPaired { return index.isMultiple(of: 2) ? nil : array[index - 1] }
                return array[index]["id"] ?? array[index]["_id"]
            }
        }
        self.names = names(pushed)
        // Elements with the same name are ambiguous and match nothing.
        self.current = Dictionary(
            zip(names(current), current).compactMap { name, value in name.map { ($0, value) } },
            uniquingKeysWith: { _, _ in nil })

    }

    subscript(index: Int) -> JSON? { names[index].flatMap { current[$0] ?? nil } }

    /// Whether the array may alternate keys and values: every other element is a text or a number.
    private static func arePairs(_ array: [JSON]) -> Bool {
        array.count.isMultiple(of: 2)
            && stride(from: 0, to: array.count, by: 2).allSatisfy { array[$0].string != nil || array[$0].number != nil }
    }
}
