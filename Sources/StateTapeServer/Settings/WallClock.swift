import Foundation

/// The system's clock, for times that the archive stores.
enum WallClock {
    /// In ms since 1970.
    static var now: Int { Int(Date().timeIntervalSince1970 * 1_000) }
}
