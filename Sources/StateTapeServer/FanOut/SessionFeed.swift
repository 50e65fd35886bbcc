#if Server
    import Logging
    import Synchronization
    import TapeFormat
    import TapeSockets

    /// Tells of sessions that appeared, changed or ended: each at most four times a second.
    final class SessionFeed: Sendable {
        private struct State {
            var changed: Set<String> = []
            var isScheduled = false
            var last: ContinuousClock.Instant?
        }

        private static let interval = Duration.milliseconds(250)

        private let loop: EventLoop
        private let workers: Workers
        private let fanOut: FanOut
        private let summary: @Sendable (_ session: String) throws -> JSON?
        private let logger: Logger
        private let state = Mutex(State())

        /// - Parameter summary: What is told of a session; called off the loop's thread.
        init(
            loop: EventLoop, workers: Workers, fanOut: FanOut, logger: Logger,
            summary: @escaping @Sendable (_ session: String) throws -> JSON?
        ) {
            self.loop = loop
            self.workers = workers
            self.fanOut = fanOut
            self.logger = logger
            self.summary = summary
        }

        func changed(_ sessions: Set<String>) {
            guard fanOut.isListWatched else { return }
            let delay = state.withLock { state -> Duration? in
                state.changed.formUnion(sessions)
                if state.isScheduled { return nil }
                state.isScheduled = true
                let since = state.last.map { ContinuousClock.now - $0 } ?? Self.interval
                return max(.zero, Self.interval - since)
            }
            if let delay { loop.schedule(after: delay) { self.tell() } }
        }

        private func tell() {
            let sessions = state.withLock { state in
                defer { state = State(last: .now) }
                return state.changed
            }
            workers.run { [self] in
                do {
                    for session in sessions {
                        guard let summary = try summary(session) else { continue }
                        loop.execute { self.fanOut.publish(summary: summary, of: session) }
                    }
                } catch {
                    logger.error("The list of sessions can't be read: \(error)")
                }
            }
        }
    }
#endif
