/// What a command could not read or copy: the first ones, and how many there are. Hand-made files have millions.
package struct Problems: Sendable {
    /// How many are kept, and printed.
    package static let most = 1_000
    package private(set) var first: [String] = []
    package private(set) var count = 0

    /// How many are not in `first`.
    package var more: Int { count - first.count }

    mutating func add(_ problem: String) {
        count += 1
        if count <= Self.most { first.append(problem) }
    }
}
