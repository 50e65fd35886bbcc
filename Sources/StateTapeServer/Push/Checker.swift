#if Server
    import Dispatch
    import Logging
    import Synchronization
    import TapeFormat

    /// Follows the tapes of live sessions behind their commits, and applies each patch, so that one that doesn't apply
    /// is known while the app can still be asked for a full state. Bounded: it reads from the archive, not from a queue.
    final class Checker: Sendable {
        private struct Followed {
            /// Everything below is checked.
            var next: Int
            var walks: [String: StoreWalk] = [:]

            var cost: Int { walks.values.reduce(0) { $0 + $1.cost } }
        }

        private struct State {
            var followed: [String: Followed] = [:]
            /// Sessions with lines that are not checked, in turn.
            var due: [String] = []
            var isRunning = false
            var isStopped = false
        }

        /// Bytes of the states kept, over all sessions.
        private static let maxCost = 64 << 20

        private let archive: any Archive
        private let tape: TapeReader
        private let states: States
        private let isLive: @Sendable (_ session: String) -> Bool
        private let logger: Logger
        private let queue = DispatchQueue(label: "statetape.check", qos: .utility)
        private let state = Mutex(State())

        init(
            _ archive: any Archive, _ tape: TapeReader, _ states: States, logger: Logger,
            isLive: @escaping @Sendable (_ session: String) -> Bool
        ) {
            self.archive = archive
            self.tape = tape
            self.states = states
            self.isLive = isLive
            self.logger = logger
        }

        /// The session has more lines committed, from `first` on, or its app has gone.
        func advanced(_ session: String, from first: Int) {
            let start = state.withLock { state in
                if state.followed[session] == nil { state.followed[session] = Followed(next: first) }
                if !state.due.contains(session) { state.due.append(session) }
                defer { state.isRunning = true }
                return !state.isRunning
            }
            if start { queue.async { self.work() } }
        }

        /// Leaves what is due, and returns once nothing runs.
        func stop() {
            state.withLock { $0.isStopped = true }
            queue.sync {}
        }

        private func work() {
            while let (id, followed) = nextDue() {
                do {
                    let (followed, isDone) = try check(id, followed)
                    state.withLock { state in
                        let isDue = state.due.contains(id)
                        if !isDone, !isDue { state.due.append(id) }
                        state.followed[id] = isDone && !isDue && !isLive(id) ? nil : followed
                    }
                } catch {
                    logger.error("The patches of session \(id) can't be checked: \(error)")
                }
            }
        }

        private func nextDue() -> (String, Followed)? {
            state.withLock { state in
                guard !state.due.isEmpty, !state.isStopped else {
                    state.isRunning = false
                    return nil
                }
                let id = state.due.removeFirst()
                // Taken out, so that its states are changed in place.
                return (id, state.followed.removeValue(forKey: id) ?? Followed(next: 0))
            }
        }

        /// Checks the lines of one batch.
        private func check(_ id: String, _ followed: consuming Followed) throws -> (Followed, isDone: Bool) {
            guard let session = try archive.session(id), followed.next < session.next,
                let lines = try tape.lines(of: session.row, from: followed.next)
            else { return (followed, true) }
            for line in lines {
                try take(line, of: session, &followed.walks)
                followed.next = line.seq + 1
            }
            let others = state.withLock { $0.followed.values.reduce(0) { $0 + $1.cost } }
            if others + followed.cost > Self.maxCost {
                // Unknown until the next full state: not checked, but not wrong either.
                followed.walks = followed.walks.mapValues {
                    StoreWalk(store: $0.store, before: $0.seq + 1, isAttached: true)
                }
            }
            let isDone = followed.next >= session.next
            return (followed, isDone)
        }

        private func take(_ line: EventLine, of session: Session, _ walks: inout [String: StoreWalk]) throws {
            if line.kind == .gap {
                for store in walks.keys { _ = walks[store]?.take(line) }
                return
            }
            if line.kind == .note || line.kind == .end { return }
            var walk = try walks.removeValue(forKey: line.store) ?? begin(line, of: session)
            if let reason = walk.take(line) { try states.markBroken(session, line.store, at: line.seq, reason) }
            walks[line.store] = walk
        }

        private func begin(_ line: EventLine, of session: Session) throws -> StoreWalk {
            guard line.base == nil, line.seq > 0 else {
                return StoreWalk(store: line.store, before: line.seq, isAttached: false)
            }
            return try states.walk(session, line.store, to: line.seq - 1)
        }
    }
#endif
