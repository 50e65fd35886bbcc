/// The counter's state, the same in every way of working.
struct Counter: Codable, Equatable, Sendable {
    var count = 0
    /// Whether a number was asked for and has not come yet.
    var isAsking = false
}
