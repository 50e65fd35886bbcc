/// How the changes from one state to the next are found.
package enum ComparisonMode: Sendable {
    /// By the bytes of two values in memory; only the parts that differ are visited.
    case layout
    /// By the JSON of both states, encoded whole.
    case encoded
}
