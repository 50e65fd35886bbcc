/// One walk through a value by reflection, and its bounds: what hangs on an object may be the whole app.
final class Reflection {
    /// Values inside one another.
    static let maxDepth = 64
    /// Values in all.
    static let maxCount = 100_000

    private var count = 0
    /// The instances that the walk is inside of.
    private var inside: Set<ObjectIdentifier> = []

    /// Counts a value.
    ///
    /// - Returns: The marker for the bound that it is past; nil if it is within.
    func exceeded(at depth: Int) -> String? {
        count += 1
        if depth > Self.maxDepth { return "deep" }
        return count > Self.maxCount ? "more" : nil
    }

    /// - Returns: Whether the walk was not inside this instance already.
    func enter(_ object: AnyObject) -> Bool { inside.insert(ObjectIdentifier(object)).inserted }

    func leave(_ object: AnyObject) { inside.remove(ObjectIdentifier(object)) }
}
