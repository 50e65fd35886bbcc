package import TapeFormat

/// What the types of a store look like, so that readers of the tape see a value as Swift people write it.
///
/// A type is a name for one without parts (`"Date"`), the number of an entry of `types`, one of `{"optional":…}`,
/// `{"array":…}` and `{"dictionary":[…,…]}`, or null where it isn't known. An entry has the type's name and its members
/// or cases. It says nothing about values, and what an `encode(to:)` makes of the members is for the reader to compare.
package struct TypeTable {
    /// The most bytes of the entries, and the most members of one: types near the state come first, and the others are
    /// left out.
    private static let (longest, mostMembers) = (24 << 10, 300)
    /// Types that have a number, which need not have an entry.
    private static let mostTypes = 1_000
    /// Types of actions behind a protocol.
    private static let mostActions = 200

    private var numbers: [ObjectIdentifier: Int] = [:]
    private var types: [Any.Type] = []
    private var entries: [JSON] = []
    /// Types whose JSON isn't that of their members.
    private var differing: Set<ObjectIdentifier> = []

    /// The table of a store; nil if none of its types has an entry.
    ///
    /// - Parameters:
    ///   - action: The one type of the actions.
    ///   - named: The types of actions behind a protocol, with their names on the tape; nil if the actions have one type.
    ///   - example: A state and its JSON, to find types that write something else than their members.
    package static func json(
        state: Any.Type, action: Any.Type, named: [(name: String, type: Any.Type)]?,
        example: (state: Any, json: JSON)? = nil
    ) -> JSON? {
        var table = TypeTable()
        if let example {
            var comparison = TypeComparison()
            _ = comparison.compare(example.state, example.json)
            table.differing = comparison.differing
        }
        let state = table.reference(to: state)
        let action = named == nil ? table.reference(to: action) : nil
        let actions = named.map { named in
            JSON.Object(named.prefix(mostActions).map { ($0.name, table.reference(to: $0.type)) })
        }
        table.describe()
        guard !table.entries.isEmpty else { return nil }
        var json = JSON.Object([("state", state)])
        json["action"] = action
        json["actions"] = actions.map(JSON.object)
        json["types"] = .array(table.entries)
        return .object(json)
    }

    private mutating func describe() {
        var bytes = 0
        while entries.count < types.count {
            let entry = entry(of: types[entries.count])
            bytes += entry.bytes.count
            guard bytes <= Self.longest else { return }
            entries.append(entry)
        }
    }

    // MARK: References

    private mutating func reference(to type: Any.Type) -> JSON {
        if let name = Self.plain[ObjectIdentifier(type)] { return .string(name) }
        let metadata = Metadata(type)
        if metadata.kind == .optional {
            return ["optional": metadata.arguments?.first.map { reference(to: $0) } ?? .null]
        }
        let name = ValueTypes.name(of: type)
        if Self.arrays.contains(name), let element = metadata.arguments?.last {
            return ["array": reference(to: element)]
        }
        if Self.dictionaries.contains(name), let arguments = metadata.arguments, arguments.count == 2 {
            return ["dictionary": .array([reference(to: arguments[0]), reference(to: arguments[1])])]
        }
        guard Self.isDescribed(type, metadata.kind, name) else { return .null }
        return number(of: type).map { .number(JSON.Number($0)) } ?? .null
    }

    private mutating func number(of type: Any.Type) -> Int? {
        let id = ObjectIdentifier(type)
        if let number = numbers[id] { return number }
        guard types.count < Self.mostTypes else { return nil }
        numbers[id] = types.count
        types.append(type)
        return types.count - 1
    }

    /// Whether the type is a struct, an enum or a class of the app or its packages.
    private static func isDescribed(_ type: Any.Type, _ kind: Metadata.Kind?, _ name: String) -> Bool {
        guard kind == .struct || kind == .enum || kind == nil && type is AnyClass else { return false }
        let modules = ["Swift.", "Foundation.", "FoundationEssentials.", "__C.", "Observation.", "Dispatch."]
        return !modules.contains { name.hasPrefix($0) } && !ValueTypes.containers.contains(name)
            && !ValueTypes.whole.contains(ObjectIdentifier(type))
    }

    // MARK: Entries

    /// Without members, if they aren't known.
    private mutating func entry(of type: Any.Type) -> JSON {
        guard let name = TypeName.short(type) else { return [:] }
        let metadata = Metadata(type)
        var entry = JSON.Object([("name", .string(name))])
        if differing.contains(ObjectIdentifier(type)) { return .object(entry) }
        if type is AnyClass {
            entry["members"] = members(Fields.members(of: type))
        } else if let raw = RawValues.of(type) {
            switch raw {
            case .type(let value): entry["rawValue"] = reference(to: value)
            case .cases(let cases): entry["rawValues"] = .object(cases)
            case .unknown: break
            }
        } else if let fields = metadata.fields, !metadata.hidesMembers(among: fields) {
            if metadata.kind == .enum { entry["cases"] = cases(fields) } else { entry["members"] = members(fields) }
        }
        return .object(entry)
    }

    private mutating func members(_ fields: [Metadata.Field]) -> JSON? {
        let fields = fields.filter { !$0.isOwnedByCompiler }
        guard fields.count <= Self.mostMembers else { return nil }
        return object(of: fields.map { ($0.name, $0.type.map { reference(to: $0) } ?? .null) })
    }

    private mutating func cases(_ fields: [Metadata.Field]) -> JSON? {
        guard fields.count <= Self.mostMembers else { return nil }
        return object(of: fields.map { ($0.name, payload($0.type)) })
    }

    /// The values of a case by their keys; those without a label are `_0`, `_1` and so on.
    private mutating func payload(_ type: Any.Type?) -> JSON {
        guard let type else { return [:] }
        let metadata = Metadata(type)
        guard metadata.kind == .tuple else { return ["_0": reference(to: type)] }
        guard let elements = metadata.fields, let labels = metadata.labels else { return .null }
        return object(
            of: zip(elements, labels).enumerated().map { index, part in
                (part.1 ?? "_\(index)", part.0.type.map { reference(to: $0) } ?? .null)
            })
    }

    /// A name that stands for several members, such as those of a class and its superclass, has no known type.
    private func object(of members: [(name: String, value: JSON)]) -> JSON {
        var object = JSON.Object()
        for (name, value) in members { object[name] = object[name] == nil ? value : .null }
        return .object(object)
    }
}
