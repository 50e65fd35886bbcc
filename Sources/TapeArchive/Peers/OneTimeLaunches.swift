import TapeFormat

/// Launch states for a single run, while they are being sent. No other run gets them meanwhile. They are deleted
/// only after they have arrived.
package protocol OneTimeLaunches: Sendable {
    /// Reserves a launch state for a run.
    ///
    /// - Parameters:
    ///   - start: The id that the app uses in its answer.
    ///   - session: The run's session.
    /// - Returns: False if another run has reserved it.
    func take(_ state: String, as start: String, for session: String) throws -> Bool
    /// The run has answered, or has recorded something after the launch state.
    ///
    /// - Parameter start: The id of the answer; nil for any.
    /// - Returns: The launch state, now used up.
    func arrived(at session: String, _ start: String?) throws -> String?
    /// The app disconnected before it applied the launch state.
    func missed(_ session: String) throws
}

/// Keeps the reservations in memory.
package final class LocalLaunches: OneTimeLaunches {
    private struct Given {
        let state: String
        let start: String
    }

    private struct Reservations {
        /// By the run's session.
        var given: [String: Given] = [:]
        /// Launch states that have arrived. Another run may have found one just before it was deleted.
        var used: Set<String> = []
    }

    private let reservations = Locked(Reservations())

    package init() {}

    package func take(_ state: String, as start: String, for session: String) -> Bool {
        reservations.withLock { all in
            guard !all.used.contains(state),
                !all.given.contains(where: { $0.key != session && $0.value.state == state })
            else { return false }
            all.given[session] = Given(state: state, start: start)
            return true
        }
    }

    package func arrived(at session: String, _ start: String?) -> String? {
        reservations.withLock { all in
            guard let one = all.given[session], start == nil || start == one.start else { return nil }
            all.given[session] = nil
            all.used.insert(one.state)
            return one.state
        }
    }

    package func missed(_ session: String) {
        reservations.withLock { $0.given[session] = nil }
    }
}
