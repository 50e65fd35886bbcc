import TapeFormat

extension JSON {
    /// A pushed state with the app's current values in the place of ``Redacted`` ones.
    ///
    /// Members of an object, and so entries of a dictionary, match by name. Elements of an array match by their `id`
    /// (or `_id`). In an array of alternating keys and values, keys match each other, and a value matches by its key.
    /// Elements never match by index.
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
        // Of an array's elements, only values below a key are redacted one by one.
        let hasObjects = stride(from: 1, to: pushed.count, by: 2).contains { pushed[$0].isRedacted }
        let isPaired = Self.arePairs(pushed, orObjects: hasObjects) && Self.arePairs(current, orObjects: hasObjects)
        let secrets =
            isPaired && hasObjects
            ? stride(from: 0, to: pushed.count, by: 2).reduce(into: []) { pushed[$1].addRedactedNames(to: &$0) } : []
        func names(_ array: [JSON]) -> [JSON?] {
            array.indices.map { index in
                guard isPaired else { return array[index]["id"] ?? array[index]["_id"] }
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

    subscript(index: Int) -> JSON? { names[index].flatMap { current[$0] ?? nil } }

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

extension JSON {
    fileprivate func addRedactedNames(to names: inout Set<String>) {
        switch self {
        case .object(let object):
            for member in object {
                if member.value.isRedacted { names.insert(member.key) }
                member.value.addRedactedNames(to: &names)
            }
        case .array(let elements): for element in elements { element.addRedactedNames(to: &names) }
        case .null, .bool, .number, .string: break
        }
    }

    /// This value with the members of these names redacted, as the tape has it.
    fileprivate func redacting(_ names: Set<String>) -> JSON {
        guard !names.isEmpty else { return self }
        switch self {
        case .object(var object):
            for member in object {
                object[member.key] = names.contains(member.key) ? Redacted.json : member.value.redacting(names)
            }
            return .object(object)
        case .array(let elements): return .array(elements.map { $0.redacting(names) })
        case .null, .bool, .number, .string: return self
        }
    }
}
