#if Server
    import Synchronization

    /// Launch states for a single run, while they are being sent. No other run gets them meanwhile. They are deleted
    /// only after they have arrived.
    final class OneTimeLaunches: Sendable {
        private struct Given {
            let state: String
            /// The id that the app uses in its answer.
            let start: String
        }

        /// By the run's session.
        private let given = Mutex<[String: Given]>([:])

        /// Whether another run is about to get this launch state.
        func isTaken(_ state: String, notBy session: String) -> Bool {
            given.withLock { $0.contains { $0.key != session && $0.value.state == state } }
        }

        /// Reserves a launch state for a run.
        ///
        /// - Returns: False if another run has reserved it.
        func take(_ state: String, as start: String, for session: String) -> Bool {
            given.withLock { given in
                guard !given.contains(where: { $0.key != session && $0.value.state == state }) else { return false }
                given[session] = Given(state: state, start: start)
                return true
            }
        }

        /// The run has answered, or has recorded something after the launch state.
        ///
        /// - Parameter start: The id of the answer; nil for any.
        /// - Returns: The launch state, now used up.
        func arrived(at session: String, _ start: String? = nil) -> String? {
            given.withLock { given in
                guard let one = given[session], start == nil || start == one.start else { return nil }
                given[session] = nil
                return one.state
            }
        }

        /// The app disconnected before it applied the launch state.
        func missed(_ session: String) {
            given.withLock { $0[session] = nil }
        }
    }
#endif
