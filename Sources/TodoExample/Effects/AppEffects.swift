import Foundation
import StateTapeStore

/// The side effects of actions.
struct AppEffects: Sendable {
    var remote = Remote()
    var now: @Sendable () -> Date

    func effect(_ action: AppAction, _ state: AppState) -> Effect<AppAction>? {
        guard case .sync(.started(let round, _)) = action else { return nil }
        return Effect { [remote, now] dispatch in
            do {
                let (sent, received) = try await remote.sync(state, round: round)
                await dispatch(.sync(.finished(sent: sent, received: received, at: now())))
            } catch let error as Remote.Unreachable {
                await dispatch(.sync(.failed(reason: error.reason, at: now())))
            } catch {
                await dispatch(.sync(.failed(reason: "cancelled", at: now())))
            }
        }
    }
}
