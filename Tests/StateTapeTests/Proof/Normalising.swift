import TapeFormat

extension JSON {
    typealias Change = (JSON) -> JSON

    /// The object with some members changed.
    func members(_ changes: KeyValuePairs<String, Change>) -> JSON {
        guard var object else { return self }
        for (key, change) in changes {
            if let value = object[key] { object[key] = change(value) }
        }
        return .object(object)
    }

    /// The object with every member changed.
    func everyMember(_ change: Change) -> JSON {
        object.map { object in .object(Object(object.map { ($0.key, change($0.value)) })) } ?? self
    }

    /// The array with every element changed.
    func everyElement(_ change: Change) -> JSON {
        array.map { .array($0.map(change)) } ?? self
    }

    /// The array with its first elements changed, one by each.
    func elements(_ changes: Change...) -> JSON {
        guard var elements = array else { return self }
        for (index, change) in zip(elements.indices, changes) { elements[index] = change(elements[index]) }
        return .array(elements)
    }

    /// The elements of a set in a fixed order.
    func sortedElements(_ change: Change) -> JSON {
        array.map { .array(JSON.sorted($0.map { [change($0)] })) } ?? self
    }

    /// The alternating keys and values of a dictionary, with the pairs in a fixed order.
    func sortedPairs(_ key: Change, _ value: Change) -> JSON {
        guard let array, array.count.isMultiple(of: 2) else { return self }
        return .array(
            JSON.sorted(stride(from: 0, to: array.count, by: 2).map { [key(array[$0]), value(array[$0 + 1])] }))
    }

    private static func sorted(_ groups: [[JSON]]) -> [JSON] {
        groups.count < 2
            ? groups.flatMap { $0 }
            : groups.map { ($0.map(\.order).joined(separator: ","), $0) }.sorted { $0.0 < $1.0 }.flatMap(\.1)
    }

    /// A text to sort by. Equal values have the same, however their numbers and members are written.
    private var order: String {
        switch self {
        case .number(let number): number.int.map(String.init) ?? "\(number.double) \(number.text)"
        case .array(let elements): "[\(elements.map(\.order).joined(separator: ","))]"
        case .object(let object):
            "{\(object.map { "\(JSON.string($0.key).order):\($0.value.order)" }.sorted().joined(separator: ","))}"
        // Strings compare by canonical equivalence, their escaped scalars don't.
        case .string(let text): "\"\(text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " "))"
        case .null, .bool: text
        }
    }
}
