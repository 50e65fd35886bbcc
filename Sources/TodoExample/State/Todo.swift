import Foundation

/// One todo.
struct Todo: Codable, Equatable, Sendable, Identifiable {
    let id: String
    var title: String
    var tags: [String] = []
    var due: Day?
    /// The date of completion; nil while it is open.
    var done: Date?

    var isDone: Bool { done != nil }

    func isOverdue(_ today: Day) -> Bool {
        guard let due, !isDone else { return false }
        return due < today
    }
}
