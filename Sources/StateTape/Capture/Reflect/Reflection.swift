/// One walk through a value by reflection, and its bounds: what hangs on an object may be the whole app.
final class Reflection {
    /// Values inside one another.
    static let maxDepth = 64
    /// Values in all.
    static let maxCount = 100_000

    let redactor: Redactor
    private var count = 0
    /// The instances that the walk is inside of.
    private var inside: Set<ObjectIdentifier> = []
    private var types: [ObjectIdentifier: Bool] = [:]

    init(_ redactor: Redactor) {
        self.redactor = redactor
    }

    /// Counts a value.
    ///
    /// - Returns: The marker for the bound that it is past; nil if it is within.
    func exceeded(at depth: Int) -> String? {
        count += 1
        if depth > Self.maxDepth { return "deep" }
        return count > Self.maxCount ? "more" : nil
    }

    /// Whether a type's own name, without what it is generic over, names a secret.
    func isSecret(_ type: Any.Type) -> Bool {
        let id = ObjectIdentifier(type)
        if let known = types[id] { return known }
        let found = redactor.isSecret(String(String(describing: type).prefix { $0 != "<" }))
        types[id] = found
        return found
    }

    /// - Returns: Whether the walk was not inside this instance already.
    func enter(_ object: AnyObject) -> Bool { inside.insert(ObjectIdentifier(object)).inserted }

    func leave(_ object: AnyObject) { inside.remove(ObjectIdentifier(object)) }
}
