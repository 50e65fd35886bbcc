#if Server
    import Dispatch
    import Logging
    import Synchronization
    import TapeFormat

    /// Commits changes, each owner's in the order of arrival. Changes that arrive during a commit form the next group.
    ///
    /// If the archive can't be written, the committer keeps the changes and retries. Tasks still run.
    final class Committer: Sendable {
        /// Receives the result of a change.
        protocol Client: AnyObject, Sendable {
            func committed(_ change: Change, _ outcome: Outcome)
            /// The change failed; nothing of it was stored.
            func failed(_ change: Change, _ error: any Error)
        }

        private enum Entry {
            case change(Change, any Client)
            case task(@Sendable () -> Void)

            var isTask: Bool { if case .task = self { true } else { false } }
            var bytes: Int { if case .change(let change, _) = self { change.bytes } else { 0 } }
        }

        private struct State {
            var waiting: [Entry] = []
            /// Bytes of the lines that are queued or being committed.
            var bytes = 0
            var isRunning = false
            var isFull = false
            var isStopped = false
            var isSweeping = false
            /// Why the archive can't be written; nil if it can.
            var failure: String?
            var figures = CommitFigures()
            /// Try the first changes again in spite of the failure.
            var isTrying = false
            /// How many of the first changes are committed one by one.
            var single = 0
            /// Every second group takes the smallest changes first, so that a small change never waits behind several
            /// large ones.
            var isLeastFirst = true
            /// The earliest start of the next group of changes, unless many bytes wait.
            var pacedUntil: ContinuousClock.Instant?

            /// How long the next group waits for more changes.
            var pause: Duration? {
                guard let pacedUntil, !isStopped, bytes < Committer.pacedBytes, waiting.first?.isTask == false else {
                    return nil
                }
                let pause = pacedUntil - .now
                return pause > .zero ? pause : nil
            }

            /// Removes and returns the next task, or the changes of one transaction.
            mutating func next() -> [Entry] {
                // While the disk is full, only tasks run: they may free the space that the changes need.
                if failure != nil, !isTrying || isSweeping {
                    return waiting.firstIndex(where: \.isTask).map { [waiting.remove(at: $0)] } ?? []
                }
                let group = Committer.group(&waiting, limit: single > 0 ? 1 : .max, leastFirst: isLeastFirst)
                if group.first?.isTask == false {
                    isLeastFirst.toggle()
                    single = max(0, single - group.count)
                    isTrying = false
                }
                return group
            }
        }

        /// The most bytes in one transaction.
        private static let groupBytes = 8 << 20
        /// The most bytes when several owners wait: a new owner has to wait for a whole transaction.
        private static let sharedGroupBytes = 2 << 20
        private static let groupEvents = 4_096
        /// Groups with changes of at least this many owners are paced, while fewer bytes than these wait.
        private static let pacedOwners = 8
        private static let pacedBytes = 128 << 10
        /// Apps are no longer read once this many bytes are queued.
        private static let bound = 32 << 20

        private let archive: any Archive
        private let pace: Duration
        private let clock: @Sendable () -> Int
        private let deliver: @Sendable (@escaping @Sendable () -> Void) -> Void
        private let resumeReading: @Sendable () -> Void
        private let failureChanged: @Sendable (_ reason: String?) -> Void
        private let retry: Duration
        private let later: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
        private let logger: Logger
        private let state = Mutex(State())
        private let queue = DispatchQueue(label: "statetape.commit")

        /// - Parameters:
        ///   - pace: The shortest time from the start of one transaction to that of the next, while many owners write.
        ///   - retry: The time to the next try if the archive can't be written.
        ///   - clock: The time of receipt, in ms since 1970.
        ///   - deliver: Runs callbacks to clients, in order. The next commit doesn't wait for them.
        ///   - resumeReading: Called through `deliver` when enough is committed to resume reading.
        ///   - failureChanged: Called through `deliver` with the reason when the archive can't be written, and with nil
        ///     once it can.
        ///   - later: Runs a task after a delay.
        init(
            _ archive: any Archive, pace: Duration, retry: Duration, clock: @escaping @Sendable () -> Int,
            deliver: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
            resumeReading: @escaping @Sendable () -> Void,
            failureChanged: @escaping @Sendable (_ reason: String?) -> Void,
            later: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void, logger: Logger
        ) {
            self.archive = archive
            self.pace = pace
            self.retry = retry
            self.clock = clock
            self.deliver = deliver
            self.resumeReading = resumeReading
            self.failureChanged = failureChanged
            self.later = later
            self.logger = logger
        }

        /// Queues a change.
        ///
        /// - Returns: False if the queue is so long that the caller should stop reading.
        func add(_ change: Change, _ client: any Client) -> Bool {
            add(.change(change, client), bytes: change.bytes)
        }

        /// Runs `task` between two commits, after all earlier changes that can be written.
        func run(_ task: @escaping @Sendable () -> Void) {
            _ = add(.task(task), bytes: 0)
        }

        /// Frees the space of deleted sessions, in slices between commits.
        func sweep() {
            let isFirst = state.withLock { state in
                guard !state.isStopped else { return false }
                defer { state.isSweeping = true }
                return !state.isSweeping
            }
            guard isFirst else { return }
            run { [self] in
                let isLeft = Result { try archive.sweep() }
                state.withLock { $0.isSweeping = false }
                switch isLeft {
                case .success(true): sweep()
                case .success(false): break
                case .failure(is Unwritable): later(retry) { self.sweep() }
                case .failure(let error): logger.error("The space of deleted sessions can't be freed: \(error)")
                }
            }
        }

        /// Accepts no more changes. Returns once all earlier ones are committed and handed to `deliver`. Drops changes
        /// that can't be written: no client was told that they are stored.
        func stop() {
            tryAgain()
            state.withLock { $0.isStopped = true }
            // A paced group no longer waits.
            queue.sync { work() }
            let left = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            // Released outside the lock: releasing a client may call back.
            withExtendedLifetime(left) {}
        }

        /// Why the archive can't be written; nil if it can.
        var failure: String? { state.withLock { $0.failure } }

        private func tryAgain() {
            let start = state.withLock { state in
                guard state.failure != nil, !state.isStopped else { return false }
                state.isTrying = true
                defer { state.isRunning = true }
                return !state.isRunning
            }
            if start { queue.async { self.work() } }
        }

        /// What was committed so far, and how many bytes are queued.
        var figures: (committed: CommitFigures, waiting: Int) { state.withLock { ($0.figures, $0.bytes) } }

        private func add(_ entry: Entry, bytes: Int) -> Bool {
            let (start, isFull) = state.withLock { state in
                if state.isStopped { return (false, true) }
                state.waiting.append(entry)
                state.bytes += bytes
                state.isFull = state.isFull || state.bytes > Self.bound
                defer { state.isRunning = true }
                return (!state.isRunning, state.isFull)
            }
            if start { queue.async { self.work() } }
            return !isFull
        }

        private func work() {
            while true {
                let (group, pause) = state.withLock { state -> ([Entry], Duration?) in
                    if let pause = state.pause { return ([], pause) }
                    let group = state.next()
                    if group.isEmpty { state.isRunning = false }
                    return (group, nil)
                }
                if let pause { return later(pause) { self.queue.async { self.work() } } }
                if group.isEmpty { return }
                if case .task(let task) = group.first {
                    task()
                } else {
                    commit(group)
                }
            }
        }

        /// Takes one task, or the changes of one transaction. Owners take turns, so that a busy one doesn't delay the
        /// others. Each owner's changes stay in order, and a task runs after everything queued before it.
        private static func group(_ waiting: inout [Entry], limit: Int, leastFirst: Bool) -> [Entry] {
            if case .task? = waiting.first { return [waiting.removeFirst()] }
            var turns: [[Int]] = []
            var counts: [String: Int] = [:]
            for (index, entry) in waiting.enumerated() {
                guard case .change(let change, _) = entry else { break }
                let turn = counts[change.owner, default: 0]
                counts[change.owner] = turn + 1
                if turn == turns.count { turns.append([]) }
                turns[turn].append(index)
            }
            if leastFirst, counts.count > 1 {
                for turn in turns.indices { turns[turn].sort { (waiting[$0].bytes, $0) < (waiting[$1].bytes, $1) } }
            }
            let most = counts.count > 1 ? sharedGroupBytes : groupBytes
            var bytes = 0
            var events = 0
            var taken: [Int] = []
            for index in turns.joined().prefix(limit) {
                guard case .change(let change, _) = waiting[index] else { break }
                bytes += change.bytes
                events += change.events
                guard taken.isEmpty || bytes <= most && events <= groupEvents else { break }
                taken.append(index)
            }
            let group = taken.map { waiting[$0] }
            let isTaken = Set(taken)
            waiting = waiting.indices.filter { !isTaken.contains($0) }.map { waiting[$0] }
            return group
        }

        private func commit(_ group: [Entry]) {
            let (changes, clients) = Self.merge(group)
            let bytes = changes.reduce(0) { $0 + $1.bytes }
            do {
                let start = ContinuousClock.now
                let outcomes = try archive.commit(changes, received: clock())
                let kept = zip(changes, outcomes).filter { if case .appended = $1 { true } else { false } }
                state.withLock {
                    $0.pacedUntil = changes.count < Self.pacedOwners ? nil : start + pace
                    $0.figures.add(
                        events: kept.reduce(0) { $0 + $1.0.events }, bytes: kept.reduce(0) { $0 + $1.0.bytes },
                        took: .now - start)
                }
                // Before the callback, so that the client sees that its bytes are no longer queued.
                settle(bytes)
                deliver {
                    for (index, client) in clients.enumerated() { client.committed(changes[index], outcomes[index]) }
                }
            } catch let reason as Unwritable {
                return requeue(group, reason)
            } catch  where group.count > 1 {
                // One change of the group is bad. Retry them one by one, so that the others succeed.
                return state.withLock { state in
                    state.waiting = group + state.waiting
                    state.single = group.count
                    state.isTrying = state.failure != nil
                }
            } catch {
                logger.error("A commit failed: \(error)")
                state.withLock { $0.figures.fail() }
                settle(bytes)
                deliver { for (index, client) in clients.enumerated() { client.failed(changes[index], error) } }
            }
        }

        /// Removes bytes from the count of queued bytes.
        private func settle(_ bytes: Int) {
            let (isOver, isRelieved) = state.withLock { state in
                let isOver = state.failure != nil
                state.failure = nil
                state.bytes -= bytes
                let wasFull = state.isFull
                state.isFull = wasFull && state.bytes >= Self.bound / 2
                return (isOver, (isOver || wasFull) && !state.isFull)
            }
            if isOver {
                logger.notice("The archive can be written again.")
                deliver { self.failureChanged(nil) }
            }
            if isRelieved { deliver(resumeReading) }
        }

        /// Puts a group back that can't be written now.
        private func requeue(_ group: [Entry], _ unwritable: Unwritable) {
            let reason = unwritable.description
            let isNew = state.withLock { state in
                state.waiting = group + state.waiting
                // Changes that don't fit together may fit one by one.
                if state.single > 0 || unwritable.isFull { state.single += group.count }
                // A caller that asked for a retry in the meantime now has its answer.
                state.isTrying = false
                state.figures.fail()
                defer { state.failure = reason }
                return state.failure != reason
            }
            if isNew {
                logger.error("The archive can't be written: \(reason). Apps keep their events until it can.")
                deliver { self.failureChanged(reason) }
            }
            later(retry) { self.tryAgain() }
        }

        /// Merges the batches of each owner.
        private static func merge(_ group: [Entry]) -> ([Change], [any Client]) {
            var changes: [Change] = []
            var clients: [any Client] = []
            var places: [String: Int] = [:]
            for case .change(let change, let client) in group {
                if case .append(let batch) = change {
                    if let place = places[batch.owner] {
                        changes[place].append(batch)
                        continue
                    }
                    places[batch.owner] = changes.count
                }
                changes.append(change)
                clients.append(client)
            }
            return (changes, clients)
        }
    }

    extension Change {
        /// Bytes of the lines in the change.
        var bytes: Int { if case .append(let batch) = self { batch.bytes } else { 0 } }
        /// The owner that added the change.
        fileprivate var owner: String {
            switch self {
            case .open(let opening): opening.owner
            case .claim(let claim): claim.owner
            case .append(let batch): batch.owner
            // A seal covers lines that are already committed, and a probe covers none: they need not wait for other
            // changes.
            case .seal, .probe: "seal"
            }
        }
        fileprivate var events: Int { if case .append(let batch) = self { batch.lines.count } else { 0 } }

        fileprivate mutating func append(_ next: Batch) {
            guard case .append(var batch) = self else { return }
            // Drops the second reference, so that the lines are appended in place.
            self = .append(Batch(session: batch.session, owner: batch.owner, lines: []))
            batch.append(next)
            self = .append(batch)
        }
    }
#endif
