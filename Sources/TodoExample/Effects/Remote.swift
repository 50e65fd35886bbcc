import Foundation

/// A server somewhere that keeps a copy, simulated: it takes its time, every fourth sync fails, and now and then a
/// colleague has added something. The same round always has the same result.
struct Remote: Sendable {
    struct Unreachable: Error {
        let reason = "the server did not answer"
    }

    var delay: Duration = .milliseconds(700)

    private static let ideas = [
        "Water the plants", "Book the train", "Order more coffee", "Reply to the landlord", "Renew the passport",
    ]

    /// Sends what is open, and gives what the others have added.
    func sync(_ state: AppState, round: Int) async throws -> (sent: Int, received: [Todo]) {
        try await ContinuousClock().sleep(for: delay)
        if round % 4 == 0 { throw Unreachable() }
        let sent = state.lists.flatMap(\.todos).filter { !$0.isDone }.count
        guard round % 3 == 0 else { return (sent, []) }
        let idea = Self.ideas[round / 3 % Self.ideas.count]
        return (sent, [Todo(id: "r\(round)", title: idea, tags: ["shared"])])
    }
}
