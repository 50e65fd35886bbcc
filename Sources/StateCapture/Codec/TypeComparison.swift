import TapeFormat

/// Finds types whose own `encode(to:)` writes something else than their members, by a value and its JSON.
///
/// The table of types can't tell this: such an `encode(to:)` may write cents under `price`, or a date as text. Readers
/// see only JSON of these types.
struct TypeComparison {
    /// How many values are compared, and elements of each collection.
    private static let (most, mostElements) = (2_000, 20)
    private static let deepest = 32

    private(set) var differing: Set<ObjectIdentifier> = []
    private let encoder = DirectEncoder(.none)
    private let buffer = ByteBuffer()
    private var count = 0

    /// - Returns: False for a value without parts that its JSON doesn't have.
    mutating func compare(_ value: Any, _ json: JSON, depth: Int = 0) -> Bool {
        count += 1
        guard count <= Self.most, depth < Self.deepest, json.object?.first?.key.hasPrefix("$") != true else {
            return true
        }
        let type = type(of: value)
        if TypeTable.plain[ObjectIdentifier(type)] != nil { return isWritten(value, as: json) }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional:
            guard let some = mirror.children.first else { return json == .null }
            return compare(some.value, json, depth: depth + 1)
        case .collection where TypeTable.arrays.contains(ValueTypes.name(of: type)):
            for (element, json) in zip(mirror.children.prefix(Self.mostElements), json.array ?? []) {
                guard compare(element.value, json, depth: depth + 1) else { return false }
            }
        // Reading a reference that is gone would end the process, and a mirror of the app's own may show anything.
        case .struct where !(value is any CustomReflectable) && Fields.references(in: mirror).isEmpty:
            guard !(value is any RawRepresentable) else { break }
            if !members(of: mirror, json, depth) { differing.insert(ObjectIdentifier(type)) }
        case .enum where !(value is any CustomReflectable):
            guard !(value is any RawRepresentable), let carried = mirror.children.first, let label = carried.label,
                let payload = json[label]
            else { break }
            if !self.payload(carried.value, payload, depth) { differing.insert(ObjectIdentifier(type)) }
        default: break
        }
        return true
    }

    private mutating func members(of mirror: Mirror, _ json: JSON, _ depth: Int) -> Bool {
        guard let object = json.object else { return true }
        for child in mirror.children {
            guard let label = child.label, !Metadata.Field.isOwnedByCompiler(label) else { continue }
            guard let json = object[label] ?? object[Metadata.Field.displayName(label)] else { continue }
            guard compare(child.value, json, depth: depth + 1) else { return false }
        }
        return true
    }

    private mutating func payload(_ value: Any, _ json: JSON, _ depth: Int) -> Bool {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .tuple else {
            return json["_0"].map { compare(value, $0, depth: depth + 1) } ?? true
        }
        for (index, child) in mirror.children.enumerated() {
            let label = child.label.flatMap { $0.hasPrefix(".") ? nil : $0 } ?? "_\(index)"
            guard json[label].map({ compare(child.value, $0, depth: depth + 1) }) ?? true else { return false }
        }
        return true
    }

    private func isWritten(_ value: Any, as json: JSON) -> Bool {
        guard let value = value as? any Encodable else { return true }
        buffer.truncate(to: 0)
        return (try? encoder.encode(value, to: buffer)).map { (try? JSON(parsing: buffer.array(from: 0))) == json }
            ?? true
    }
}
