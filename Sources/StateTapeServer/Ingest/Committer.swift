#if Server
    import Dispatch
    import Logging
    import Synchronization
    import TapeFormat

    /// Commits what arrives, in the order of arrival. Whatever came while a commit ran is the next group.
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
        }

        private struct State {
            var waiting: [Entry] = []
            /// Of the lines that are waiting or being committed.
            var bytes = 0
            var isRunning = false
            var isFull = false
            var isStopped = false
            var failure: String?
        }

        /// The most that one transaction takes.
        private static let groupBytes = 8 << 20
        private static let groupEvents = 4_096
        /// Lines that may wait before apps are no longer read from.
        private static let bound = 32 << 20

        private let archive: any Archive
        private let clock: @Sendable () -> Int
        private let deliver: @Sendable (@escaping @Sendable () -> Void) -> Void
        private let relieved: @Sendable () -> Void
        private let logger: Logger
        private let state = Mutex(State())
        private let queue = DispatchQueue(label: "statetape.commit")

        /// - Parameters:
        ///   - clock: The time of receipt, in ms since 1970.
        ///   - deliver: Runs what tells clients, in order; the commit after need not wait for it.
        ///   - relieved: Called, through `deliver`, once so much is committed that reading may go on.
        init(
            _ archive: any Archive, clock: @escaping @Sendable () -> Int,
            deliver: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
            relieved: @escaping @Sendable () -> Void, logger: Logger
        ) {
            self.archive = archive
            self.clock = clock
            self.deliver = deliver
            self.relieved = relieved
            self.logger = logger
        }

        /// Queues a change.
        ///
        /// - Returns: False if so much is waiting that nothing more should be read for now.
        func add(_ change: Change, _ client: any Client) -> Bool {
            add(.change(change, client), bytes: change.bytes)
        }

        /// Runs `task` between two commits, after the changes that were added before.
        func run(_ task: @escaping @Sendable () -> Void) {
            _ = add(.task(task), bytes: 0)
        }

        /// Frees what deleted sessions have left, in slices between the commits.
        func sweep() {
            run { [self] in
                do {
                    if try archive.sweep() { sweep() }
                } catch {
                    logger.error("Deleted sessions can't be freed: \(error)")
                }
            }
        }

        /// Takes in nothing more, and returns once everything before is committed and handed to `deliver`.
        func stop() {
            state.withLock { $0.isStopped = true }
            queue.sync {}
        }

        /// Why nothing can be written; nil if it can. Tries again what failed last.
        func failure() -> String? {
            guard state.withLock({ $0.failure }) != nil else { return nil }
            return queue.sync {
                let failure: String?
                do {
                    try archive.probe()
                    failure = nil
                } catch {
                    failure = "\(error)"
                }
                state.withLock { $0.failure = failure }
                return failure
            }
        }

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
                    let group = Self.group(&state.waiting)
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

        /// Takes a task, or the changes of one transaction, off the front.
        private static func group(_ waiting: inout [Entry]) -> [Entry] {
            var bytes = 0
            var events = 0
            var count = 0
            for entry in waiting {
                guard case .change(let change, _) = entry else {
                    count = max(count, 1)
                    break
                }
                bytes += change.bytes
                events += change.events
                guard count == 0 || bytes <= groupBytes && events <= groupEvents else { break }
                count += 1
            }
            defer { waiting.removeFirst(count) }
            return Array(waiting.prefix(count))
        }

        private func commit(_ group: [Entry]) {
            let (changes, clients) = Self.merge(group)
            do {
                let outcomes = try archive.commit(changes, received: clock())
                state.withLock { $0.failure = nil }
                deliver {
                    for (index, client) in clients.enumerated() { client.committed(changes[index], outcomes[index]) }
                }
            } catch {
                logger.error("A commit failed: \(error)")
                state.withLock { $0.failure = "\(error)" }
                deliver {
                    for (index, client) in clients.enumerated() { client.failed(changes[index], error) }
                }
            }
            let bytes = changes.reduce(0) { $0 + $1.bytes }
            let isRelieved = state.withLock { state in
                state.bytes -= bytes
                guard state.isFull, state.bytes < Self.bound / 2 else { return false }
                state.isFull = false
                return true
            }
            if isRelieved { deliver(relieved) }
        }

        /// Joins what one owner appends.
        private static func merge(_ group: [Entry]) -> ([Change], [any Client]) {
            var changes: [Change] = []
            var clients: [any Client] = []
            var places: [String: Int] = [:]
            for case .change(let change, let client) in group {
                if case .append(let batch) = change {
                    if let place = places[batch.owner] {
                        changes[place].append(batch.lines)
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
        fileprivate var bytes: Int { if case .append(let batch) = self { batch.bytes } else { 0 } }
        fileprivate var events: Int { if case .append(let batch) = self { batch.lines.count } else { 0 } }

        fileprivate mutating func append(_ lines: [EventLine]) {
            guard case .append(var batch) = self else { return }
            // Let go of the other reference, so that the lines are added in place.
            self = .append(Batch(session: batch.session, owner: batch.owner, lines: []))
            batch.lines += lines
            self = .append(batch)
        }
    }
#endif
