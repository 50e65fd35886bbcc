import TapeFormat

/// Type and payload of an action, from the action and its JSON.
///
/// An enum's type is the path of its cases, as far as they nest (`todos/add`); of anything else it is the type's name.
/// The payload is what is left of the JSON, and left out where that is an empty object.
enum ActionName {
    /// - Parameter tree: What was encoded of the action.
    static func record(of action: Any, tree: JSON, isQualified: Bool, _ redactor: Redactor) -> JSON {
        let type = of(Swift.type(of: action))
        let (name, payload) = parts(of: action, type, tree, isQualified: isQualified)
        // Its cases were names to the encoder; the type is none, nor is a case of an `encode(to:)` of the app's own.
        let isSecret = isSecret(action, name, redactor)
        var record = JSON.Object([("type", .string(isSecret ? redactor.readable(name) : name))])
        if let payload, payload.object?.isEmpty != true { record["payload"] = isSecret ? Redacted.json : payload }
        return .object(record)
    }

    /// Whether an action's payload is secret by the name on the tape, or by that of its type.
    static func isSecret(_ action: Any, _ name: String, _ redactor: Redactor) -> Bool {
        redactor.isSecret(name) || redactor.isSecret(of(Swift.type(of: action)))
    }

    private static func parts(
        of action: Any, _ type: String, _ tree: JSON, isQualified: Bool
    ) -> (name: String, payload: JSON?) {
        guard isEnum(Swift.type(of: action)) else { return (join([type]), tree) }
        // Written by an `encode(to:)` of its own: the case is named, and the payload is the whole.
        guard let (path, payload) = cases(of: action, tree) else { return (uncoded(action), tree) }
        return (join(isQualified ? [type] + path : path), payload)
    }

    static func isEnum(_ type: Any.Type) -> Bool { Metadata(type).kind == .enum }

    /// The path of cases that JSON and value agree on, and what the last one carries; nil if the JSON is not of that shape.
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
            // A case that carries nothing has nothing to hide.
            let isEmpty = member.value.isRedacted && Mirror(reflecting: action).children.isEmpty
            return ([member.key], isEmpty ? nil : member.value)
        default: return nil
        }
    }

    /// Whether JSON has the shape of an enum's case.
    private static func isCase(_ tree: JSON) -> Bool {
        tree.object.map { $0.count == 1 && $0.first?.value.object != nil } ?? false
    }

    /// The type as far as the value alone tells it.
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

    /// Names that were asked for: making one takes longer than writing the event.
    private static let names = Locked<[ObjectIdentifier: String]>([:])

    private static func made(of type: Any.Type) -> String {
        let whole = String(reflecting: type)
        guard !whole.contains("<"), !whole.contains("(unknown context") else { return String(describing: type) }
        return whole.split(separator: ".").dropFirst().joined(separator: ".")
    }

    /// Parts of a type, `/` between; a `/` inside one is written `~1`, as in JSON pointers.
    static func join(_ path: [String]) -> String {
        Pointer(path).description.dropFirst().description
    }

    static func split(_ type: String) -> [String] {
        (try? Pointer(parsing: "/" + type))?.tokens ?? [type]
    }

    static func first(of type: String) -> String { split(type).first ?? type }
}
