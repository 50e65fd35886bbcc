#if Server
    import Synchronization

    /// Launch states for one run only, on their way to it: nobody else is given them meanwhile, and they are deleted only
    /// once they have arrived.
    final class OneTimeLaunches: Sendable {
        private struct Given {
            let state: String
            /// The id that the app answers for.
            let start: String
        }

        /// By the session of the run.
        private let given = Mutex<[String: Given]>([:])

        /// Whether a launch state is on its way to another run.
        func isTaken(_ state: String, notBy session: String) -> Bool {
            given.withLock { $0.contains { $0.key != session && $0.value.state == state } }
        }

        /// Reserves a launch state for a run.
        ///
        /// - Returns: False if another run was faster.
        func take(_ state: String, as start: String, for session: String) -> Bool {
            given.withLock { given in
                guard !given.contains(where: { $0.key != session && $0.value.state == state }) else { return false }
                given[session] = Given(state: state, start: start)
                return true
            }
        }

        /// The run has answered for a start, or has recorded something behind it.
        ///
        /// - Parameter start: Nil for whatever it was given.
        /// - Returns: The launch state, which nobody else is to be given.
        func arrived(at session: String, _ start: String? = nil) -> String? {
            given.withLock { given in
                guard let one = given[session], start == nil || start == one.start else { return nil }
                given[session] = nil
                return one.state
            }
        }

        /// The run has gone without a trace of the start.
        func missed(_ session: String) {
            given.withLock { $0[session] = nil }
        }
    }
#endif
