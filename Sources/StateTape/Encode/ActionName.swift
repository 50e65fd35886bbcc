import TapeFormat

/// The type and payload of an action, made from the action and its JSON.
///
/// An enum's type is the path of its nested cases (`todos/add`); for any other action it is the type's name. The
/// payload is the rest of the JSON. An empty object is left out.
enum ActionName {
    /// - Parameter tree: The action's encoded JSON.
    static func record(of action: Any, tree: JSON, isQualified: Bool, _ redactor: Redactor) -> JSON {
        let type = of(Swift.type(of: action))
        let (name, payload) = parts(of: action, type, tree, isQualified: isQualified)
        // The encoder has checked the case names, but not the type's name, nor the case name behind a custom
        // `encode(to:)`.
        let isSecret = isSecret(action, name, redactor)
        var record = JSON.Object([("type", .string(redactor.readable(name)))])
        if let payload, payload.object?.isEmpty != true { record["payload"] = isSecret ? Redacted.json : payload }
        return .object(record)
    }

    /// Whether an action's payload is secret, by its name on the tape or by its type's name.
    static func isSecret(_ action: Any, _ name: String, _ redactor: Redactor) -> Bool {
        redactor.isSecret(name) || redactor.isSecret(of(Swift.type(of: action)))
    }

    private static func parts(
        of action: Any, _ type: String, _ tree: JSON, isQualified: Bool
    ) -> (name: String, payload: JSON?) {
        guard isEnum(Swift.type(of: action)) else { return (join([type]), tree) }
        // A custom `encode(to:)` wrote the JSON: the case gives the name, and all of the JSON is the payload.
        guard let (path, payload) = cases(of: action, tree) else { return (uncoded(action), tree) }
        return (join(isQualified ? [type] + path : path), payload)
    }

    static func isEnum(_ type: Any.Type) -> Bool { Metadata(type).kind == .enum }

    /// The path of cases on which JSON and value agree, and the last case's payload; nil if the JSON has another shape.
    private static func cases(of action: Any, _ tree: JSON) -> (path: [String], payload: JSON?)? {
        switch tree {
        case .string(let raw): return ([raw], nil)
        case .number(let raw): return ([raw.text], nil)
        case .object(let object):
            guard object.count == 1, let member = object.first, let carried = member.value.object else { return nil }
            if carried.count == 1, let inner = carried["_0"], isCase(inner),
                let child = Mirror(reflecting: action).children.first, isEnum(Swift.type(of: child.value)),
                let (path, payload) = cases(of: child.value, inner)
            {
                return ([member.key] + path, payload)
            }
            // A case without values has nothing to redact.
            let isEmpty = member.value.isRedacted && Mirror(reflecting: action).children.isEmpty
            return ([member.key], isEmpty ? nil : member.value)
        default: return nil
        }
    }

    /// Whether JSON has the shape of an enum's case.
    private static func isCase(_ tree: JSON) -> Bool {
        tree.object.map { $0.count == 1 && $0.first?.value.object != nil } ?? false
    }

    /// The action's type according to its value alone, without JSON.
    static func uncoded(_ action: Any) -> String {
        let name = of(Swift.type(of: action))
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

    static func first(of type: String) -> String { split(type).first ?? type }
}
