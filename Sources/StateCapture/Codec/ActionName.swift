import TapeFormat

/// The type and payload of an action, made from the action and its JSON.
///
/// An enum's type is the path of its nested cases (`todos/add`); for any other action it is the type's name. The
/// payload is the rest of the JSON. An empty object is left out.
enum ActionName {
    /// What the tape has of an action.
    struct Record {
        let json: JSON
        /// Whether any action of this type whose JSON has these cases has the same name, and the same payload but for
        /// what the payload's JSON says.
        let isTypical: Bool
    }

    /// - Parameters:
    ///   - tree: The action's encoded JSON.
    ///   - names: The names of the store's types, if they precede the cases of enums; nil if there is one type.
    static func record(of action: Any, tree: JSON, _ names: ActionNames?, _ redactor: Redactor) -> Record {
        let parts = parts(of: action, tree, names)
        // The encoder has checked the case names, but not the type's name, nor the case name behind a custom
        // `encode(to:)`.
        let isSecret = isSecret(action, parts.name, redactor)
        var record = JSON.Object([("type", .string(redactor.readable(parts.name)))])
        if let payload = parts.payload, parts.isWhole || payload.object?.isEmpty != true {
            record["payload"] = isSecret ? Redacted.json : payload
        }
        // Only the action itself tells whether a secret case carries a payload.
        return Record(json: .object(record), isTypical: parts.isTypical && !isSecret)
    }

    /// Whether an action's payload is secret, by its name on the tape or by its type's name.
    private static func isSecret(_ action: Any, _ name: String, _ redactor: Redactor) -> Bool {
        redactor.isSecret(name) || redactor.isSecret(of(Swift.type(of: action)))
    }

    private static func parts(
        of action: Any, _ tree: JSON, _ names: ActionNames?
    ) -> (name: String, payload: JSON?, isTypical: Bool, isWhole: Bool) {
        let type = Swift.type(of: action)
        guard isEnum(type) else { return (join([names?.of(type) ?? of(type)]), tree, true, false) }
        // A custom `encode(to:)` wrote the JSON: the case gives the name, and all of the JSON is the payload, also if it
        // is an empty object. Without it, the record would be that of `{"case":{}}`.
        guard let cases = cases(of: action, type, tree) else { return (uncoded(action, names), tree, false, true) }
        return (join((names.map { [$0.of(type)] } ?? []) + cases.path), cases.payload, cases.isTypical, false)
    }

    static func isEnum(_ type: Any.Type) -> Bool { Metadata(type).kind == .enum }

    /// The path of cases in the JSON, as far as the type has them, and the last case's payload; nil if the JSON has
    /// another shape.
    private static func cases(
        of action: Any?, _ type: Any.Type, _ tree: JSON
    ) -> (path: [String], payload: JSON?, isTypical: Bool)? {
        switch tree {
        case .string(let raw): return ([raw], nil, true)
        case .number(let raw): return ([raw.text], nil, true)
        case .object(let object):
            guard object.count == 1, let member = object.first, let carried = member.value.object else { return nil }
            var isTypical = true
            if carried.count == 1, let inner = carried["_0"], isCase(inner) {
                let child = action.flatMap { Mirror(reflecting: $0).children.first?.value }
                // Goes by the declaration, so that actions with the same JSON have the same name. Only the value tells
                // the type behind a protocol, or behind a case that is coded by another name.
                let declared = Metadata(type).value(ofCase: member.key)
                isTypical = declared != nil || !Metadata.isKnown
                if let inside = declared ?? child.map({ Swift.type(of: $0) }), isEnum(inside),
                    let cases = cases(of: child, inside, inner)
                {
                    return ([member.key] + cases.path, cases.payload, isTypical && cases.isTypical)
                }
            }
            // A case without values has nothing to redact.
            let isEmpty = member.value.isRedacted && action.map { Mirror(reflecting: $0).children.isEmpty } ?? false
            return ([member.key], isEmpty ? nil : member.value, isTypical)
        default: return nil
        }
    }

    /// Whether JSON has the shape of an enum's case.
    private static func isCase(_ tree: JSON) -> Bool {
        tree.object.map { $0.count == 1 && $0.first?.value.object != nil } ?? false
    }

    /// The action's type according to its value alone, without JSON.
    static func uncoded(_ action: Any, _ names: ActionNames?) -> String {
        let type = Swift.type(of: action)
        let name = names?.of(type) ?? of(type)
        let mirror = Mirror(reflecting: action)
        guard mirror.displayStyle == .enum else { return name }
        return join([name, mirror.children.first?.label ?? Fields.caseName(of: action) ?? String(describing: action)])
    }

    /// A type's name without its module, and without the places that are private to a file.
    static func of(_ type: Any.Type) -> String {
        let id = ObjectIdentifier(type)
        if let name = names.withLock({ $0[id] }) { return name }
        let name = made(of: type)
        names.withLock { $0[id] = name }
        return name
    }

    /// A type's name with its module, and without the places that are private to a file.
    static func full(of type: Any.Type) -> String { TypeName.withoutPlaces(String(reflecting: type)) }

    /// Cached names: making a name takes longer than writing the event.
    private static let names = Locked<[ObjectIdentifier: String]>([:])

    private static func made(of type: Any.Type) -> String {
        let whole = String(reflecting: type)
        if whole.contains("<") { return TypeName.withoutModules(whole) }
        guard !whole.contains("(unknown context") else { return String(describing: type) }
        return whole.split(separator: ".").dropFirst().joined(separator: ".")
    }

    /// Joins the parts of a type with `/`; a `/` inside a part becomes `~1`, as in JSON pointers.
    static func join(_ path: [String]) -> String {
        Pointer(path).description.dropFirst().description
    }

    static func split(_ type: String) -> [String] {
        (try? Pointer(parsing: "/" + type))?.tokens ?? [type]
    }
}
