#if Server
    import Dispatch
    import Logging
    import Synchronization
    import TapeFormat

    /// Commits what arrives, each owner's changes in the order of arrival. Whatever came while a commit ran is the next
    /// group.
    ///
    /// What can't be written for now is held and tried again, with all that came after it; tasks go on.
    final class Committer: Sendable {
        /// Hears what became of a change.
        protocol Client: AnyObject, Sendable {
            func committed(_ change: Change, _ outcome: Outcome)
            /// Nothing of the change was kept.
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
            /// Of the lines that are waiting or being committed.
            var bytes = 0
            var isRunning = false
            var isFull = false
            var isStopped = false
            var isSweeping = false
            /// Why the changes in front can't be written; nil if they can.
            var failure: String?
            var figures = CommitFigures()
            /// The changes in front are to be tried although there is a failure.
            var isTrying = false
            /// So many in front are committed one by one.
            var single = 0
            /// Every second group takes the smallest changes first: a small one never waits behind several large ones.
            var isLeastFirst = true

            /// Takes a task, or the changes of one transaction, off the front.
            mutating func next() -> [Entry] {
                // What frees room goes before what needs it.
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

        /// The most that one transaction takes.
        private static let groupBytes = 8 << 20
        /// The same where several owners wait: the next one to come waits for all of a transaction.
        private static let sharedGroupBytes = 2 << 20
        private static let groupEvents = 4_096
        /// Lines that may wait before apps are no longer read from.
        private static let bound = 32 << 20

        private let archive: any Archive
        private let clock: @Sendable () -> Int
        private let deliver: @Sendable (@escaping @Sendable () -> Void) -> Void
        private let relieved: @Sendable () -> Void
        private let failing: @Sendable (_ reason: String?) -> Void
        private let later: @Sendable (@escaping @Sendable () -> Void) -> Void
        private let logger: Logger
        private let state = Mutex(State())
        private let queue = DispatchQueue(label: "statetape.commit")

        /// - Parameters:
        ///   - clock: The time of receipt, in ms since 1970.
        ///   - deliver: Runs what tells clients, in order; the commit after need not wait for it.
        ///   - relieved: Called, through `deliver`, once so much is committed that reading may go on.
        ///   - failing: Called, through `deliver`, when nothing can be written, with the reason, and with nil when that is
        ///     over.
        ///   - later: Runs what tries again, after a while.
        init(
            _ archive: any Archive, clock: @escaping @Sendable () -> Int,
            deliver: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
            relieved: @escaping @Sendable () -> Void, failing: @escaping @Sendable (_ reason: String?) -> Void,
            later: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void, logger: Logger
        ) {
            self.archive = archive
            self.clock = clock
            self.deliver = deliver
            self.relieved = relieved
            self.failing = failing
            self.later = later
            self.logger = logger
        }

        /// Queues a change.
        ///
        /// - Returns: False if so much is waiting that nothing more should be read for now.
        func add(_ change: Change, _ client: any Client) -> Bool {
            add(.change(change, client), bytes: change.bytes)
        }

        /// Runs `task` between two commits, after the changes that were added before and can be written.
        func run(_ task: @escaping @Sendable () -> Void) {
            _ = add(.task(task), bytes: 0)
        }

        /// Frees what deleted sessions have left, in slices between the commits.
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
                case .failure(is Unwritable): later { self.sweep() }
                case .failure(let error): logger.error("Deleted sessions can't be freed: \(error)")
                }
            }
        }

        /// Takes in nothing more, and returns once everything before is committed and handed to `deliver`. What can't be
        /// written is let go: nobody was told that it is kept.
        func stop() {
            retry()
            state.withLock { $0.isStopped = true }
            queue.sync {}
            let left = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            // Dropped outside the lock: releasing a client may call back.
            withExtendedLifetime(left) {}
        }

        /// Why nothing can be written; nil if it can.
        var failure: String? { state.withLock { $0.failure } }

        private func retry() {
            let start = state.withLock { state in
                guard state.failure != nil, !state.isStopped else { return false }
                state.isTrying = true
                defer { state.isRunning = true }
                return !state.isRunning
            }
            if start { queue.async { self.work() } }
        }

        /// What was committed so far, and how many bytes wait to be.
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
                let group = state.withLock { state in
                    let group = state.next()
                    if group.isEmpty { state.isRunning = false }
                    return group
                }
                if group.isEmpty { return }
                if case .task(let task) = group.first {
                    task()
                } else {
                    commit(group)
                }
            }
        }

        /// Takes a task, or changes of one transaction: of each owner in turn, so that one who sends much doesn't keep
        /// the others waiting. What one owner adds stays in order, and a task comes after all that was added before it.
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
                    $0.figures.add(
                        events: kept.reduce(0) { $0 + $1.0.events }, bytes: kept.reduce(0) { $0 + $1.0.bytes },
                        took: .now - start)
                }
                // What hears of it finds that it no longer waits.
                settle(bytes)
                deliver {
                    for (index, client) in clients.enumerated() { client.committed(changes[index], outcomes[index]) }
                }
            } catch let reason as Unwritable {
                return hold(group, reason)
            } catch  where group.count > 1 {
                // One of them is at fault, and the others are not to suffer for it.
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

        /// So many bytes no longer wait.
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
                deliver { self.failing(nil) }
            }
            if isRelieved { deliver(relieved) }
        }

        /// Puts back what can't be written now.
        private func hold(_ group: [Entry], _ unwritable: Unwritable) {
            let reason = unwritable.description
            let isNew = state.withLock { state in
                state.waiting = group + state.waiting
                // Some of what has no room together may have it alone.
                if state.single > 0 || unwritable.isFull { state.single += group.count }
                // What asked meanwhile has its answer.
                state.isTrying = false
                state.figures.fail()
                defer { state.failure = reason }
                return state.failure != reason
            }
            if isNew {
                logger.error("The archive can't be written: \(reason). Apps keep what they have until it can.")
                deliver { self.failing(reason) }
            }
            later { self.retry() }
        }

        /// Joins what one owner appends.
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
        /// Of the lines that it brings.
        var bytes: Int { if case .append(let batch) = self { batch.bytes } else { 0 } }
        /// Who added it.
        fileprivate var owner: String {
            switch self {
            case .open(let opening): opening.owner
            case .claim(let claim): claim.owner
            case .append(let batch): batch.owner
            // Of lines that are committed, or none: they need not wait for any.
            case .seal, .probe: "seal"
            }
        }
        fileprivate var events: Int { if case .append(let batch) = self { batch.lines.count } else { 0 } }

        fileprivate mutating func append(_ next: Batch) {
            guard case .append(var batch) = self else { return }
            // Let go of the other reference, so that the lines are added in place.
            self = .append(Batch(session: batch.session, owner: batch.owner, lines: []))
            batch.append(next)
            self = .append(batch)
        }
    }
#endif
