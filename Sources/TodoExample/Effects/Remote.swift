import Foundation

/// A simulated server with a copy of the lists. It answers after a delay, every fourth sync fails, and sometimes a
/// colleague has added a todo. The same round always has the same result.
struct Remote: Sendable {
    struct Unreachable: Error {
        let reason = "the todo service is offline"
    }

    var delay: Duration = .milliseconds(700)

    private static let ideas = [
        "Water the plants", "Book the train", "Order more coffee", "Reply to the landlord", "Renew the passport",
    ]

    /// Sends the open todos.
    ///
    /// - Returns: Their number, and the todos that others have added.
    func sync(_ state: AppState, round: Int) async throws -> (sent: Int, received: [Todo]) {
        try await ContinuousClock().sleep(for: delay)
        if round % 4 == 0 { throw Unreachable() }
        let sent = state.lists.flatMap(\.todos).filter { !$0.isDone }.count
        guard round % 3 == 0 else { return (sent, []) }
        let idea = Self.ideas[round / 3 % Self.ideas.count]
        return (sent, [Todo(id: "r\(round)", title: idea, tags: ["shared"])])
    }
}
