/// How long to wait before the next attempt to connect. The delay doubles from 250 ms to 10 s, and is random so that
/// many apps do not return to a restarted server at once.
struct Backoff: Sendable {
    private var attempts = 0

    /// - Parameter spread: In 0…1, random.
    mutating func next(spread: Double) -> Duration {
        let base = min(10, 0.25 * Double(1 << min(attempts, 10)))
        attempts += 1
        return .seconds(min(10, max(0.25, base * (0.75 + 0.5 * spread))))
    }

    mutating func reset() {
        attempts = 0
    }
}
