/// One walk through a value by reflection, with limits: an object may lead to the whole app.
final class Reflection {
    /// The maximum nesting of values.
    static let maxDepth = 64
    /// The maximum number of values.
    static let maxCount = 100_000

    let redactor: Redactor
    private var count = 0
    /// The instances that contain the current value.
    private var inside: Set<ObjectIdentifier> = []
    private var types: [ObjectIdentifier: Bool] = [:]

    init(_ redactor: Redactor) {
        self.redactor = redactor
    }

    /// Counts a value.
    ///
    /// - Returns: The marker for the limit that the value exceeds; nil if it exceeds none.
    func exceeded(at depth: Int) -> String? {
        count += 1
        if depth > Self.maxDepth { return "deep" }
        return count > Self.maxCount ? "more" : nil
    }

    /// Whether a type's own name, without its generic arguments, names a secret.
    func isSecret(_ type: Any.Type) -> Bool {
        let id = ObjectIdentifier(type)
        if let known = types[id] { return known }
        let found = redactor.isSecret(String(String(describing: type).prefix { $0 != "<" }))
        types[id] = found
        return found
    }

    /// - Returns: False if the walk is already inside this instance.
    func enter(_ object: AnyObject) -> Bool { inside.insert(ObjectIdentifier(object)).inserted }

    func leave(_ object: AnyObject) { inside.remove(ObjectIdentifier(object)) }
}
