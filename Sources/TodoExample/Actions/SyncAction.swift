import Foundation

enum SyncAction: Codable, Equatable, Sendable {
    case started(round: Int, at: Date)
    case finished(sent: Int, received: [Todo], at: Date)
    case failed(reason: String, at: Date)
}
