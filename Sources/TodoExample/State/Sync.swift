import Foundation

/// The state of the sync with the simulated server.
struct Sync: Codable, Equatable, Sendable {
    enum Status: Codable, Equatable, Sendable {
        case never
        case running
        case finished(at: Date, sent: Int, received: Int)
        case failed(at: Date, reason: String)
    }

    var status = Status.never
    /// The number of attempts.
    var round = 0
}
