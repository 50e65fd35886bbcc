import Foundation
import StateTapeStore

/// The side effects of actions.
struct AppEffects: Sendable {
    var remote = Remote()
    var now: @Sendable () -> Date
    /// Counts the states that were applied from outside.
    var appliedStates: @Sendable () -> Int = { 0 }

    func effect(_ action: AppAction, _ state: AppState) -> Effect<AppAction>? {
        guard case .sync(.started(let round, _)) = action else { return nil }
        let applied = appliedStates()
        return Effect { [remote, now, appliedStates] dispatch in
            let result: SyncAction
            do {
                let (sent, received) = try await remote.sync(state, round: round)
                result = .finished(sent: sent, received: received, at: now())
            } catch let error as Remote.Unreachable {
                result = .failed(reason: error.reason, at: now())
            } catch {
                result = .failed(reason: "cancelled", at: now())
            }
            // An applied state stays as it is: this sync belongs to an earlier one.
            if appliedStates() == applied { await dispatch(.sync(result)) }
        }
    }
}
