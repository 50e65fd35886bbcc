import Foundation

/// How the copy on the (simulated) server stands.
struct Sync: Codable, Equatable, Sendable {
    enum Status: Codable, Equatable, Sendable {
        case never
        case running
        case finished(at: Date, sent: Int, received: Int)
        case failed(at: Date, reason: String)
    }

    var status = Status.never
    /// How often it was tried.
    var round = 0
}
