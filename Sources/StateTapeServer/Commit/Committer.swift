import Dispatch
import Logging
import TapeArchive
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

    /// Where the committer runs.
    protocol Host: Sendable {
        /// The time of receipt, in ms since 1970.
        var now: Int { get }
        /// Runs callbacks to clients, in order. The next commit doesn't wait for them.
        func deliver(_ callback: @escaping @Sendable () -> Void)
        /// Runs a task after a delay.
        func later(_ delay: Duration, _ task: @escaping @Sendable () -> Void)
        /// Enough is committed to resume reading. Called through `deliver`.
        func relieved()
        /// The archive can't be written, for this reason; nil once it can. Called through `deliver`.
        func unwritable(_ reason: String?)
    }

    private struct State {
        var waiting = CommitQueue()
        /// Bytes of the lines that are queued or being committed.
        var bytes = 0
        var isRunning = false
        var isFull = false
        var isStopped = false
        var isSweeping = false
        /// Why the archive can't be written; nil if it can.
        var failure: String?
        var counts = CommitCounts()
        /// Try the first changes again in spite of the failure.
        var isTrying = false
        /// When the running commit has begun.
        var began: ContinuousClock.Instant?
        /// The earliest start of the next group of changes, unless many bytes wait.
        var pacedUntil: ContinuousClock.Instant?

        /// How long the next group waits for more changes.
        var pause: Duration? {
            guard let pacedUntil, !isStopped, bytes < Committer.pacedBytes, waiting.hasChangeNext else {
                return nil
            }
            let pause = pacedUntil - .now
            return pause > .zero ? pause : nil
        }

        /// Removes and returns the next task, or the changes of one transaction.
        mutating func next() -> [CommitQueue.Entry] {
            // While the disk is full, only tasks run: they may free the space that the changes need.
            if failure != nil, !isTrying || isSweeping { return waiting.takeTask() }
            if waiting.hasChangeNext { isTrying = false }
            return waiting.takeGroup()
        }
    }

    /// Groups with changes of at least this many owners are paced, while fewer bytes than these wait.
    private static let pacedOwners = 8
    private static let pacedBytes = 128 << 10
    /// Apps are no longer read once this many bytes are queued.
    private static let bound = 32 << 20

    private let archive: any TapeStore
    private let pace: Duration
    private let host: any Host
    private let retry: Duration
    private let logger: Logger
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "statetape.commit")

    /// - Parameters:
    ///   - pace: The shortest time from the start of one transaction to that of the next, while many owners write.
    ///   - retry: The time to the next try if the archive can't be written.
    init(_ archive: any TapeStore, pace: Duration, retry: Duration, on host: any Host, logger: Logger) {
        self.archive = archive
        self.pace = pace
        self.retry = retry
        self.host = host
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
            case .failure(is Unwritable): host.later(retry) { self.sweep() }
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
        let left = state.withLock { $0.waiting.removeAll() }
        // Released outside the lock: releasing a client may call back.
        withExtendedLifetime(left) {}
    }

    /// Why the archive can't be written; nil if it can.
    var failure: String? { state.withLock { $0.failure } }

    /// How long a commit has been running; zero if none is.
    var delay: Duration { state.withLock { $0.began.map { .now - $0 } ?? .zero } }

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
    var counts: (committed: CommitCounts, waiting: Int) { state.withLock { ($0.counts, $0.bytes) } }

    private func add(_ entry: CommitQueue.Entry, bytes: Int) -> Bool {
        let (start, isFull) = state.withLock { state in
            if state.isStopped { return (false, true) }
            state.waiting.add(entry)
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
            let (group, pause) = state.withLock { state -> ([CommitQueue.Entry], Duration?) in
                if let pause = state.pause { return ([], pause) }
                let group = state.next()
                if group.isEmpty { state.isRunning = false }
                return (group, nil)
            }
            if let pause { return host.later(pause) { self.queue.async { self.work() } } }
            if group.isEmpty { return }
            if case .task(let task) = group.first {
                task()
            } else {
                commit(group)
            }
        }
    }

    private func commit(_ group: [CommitQueue.Entry]) {
        let (changes, clients) = group.merged
        let bytes = changes.reduce(0) { $0 + $1.bytes }
        do {
            let start = ContinuousClock.now
            state.withLock { $0.began = start }
            defer { state.withLock { $0.began = nil } }
            let outcomes = try archive.commit(changes, received: host.now)
            let kept = zip(changes, outcomes).filter { if case .appended = $1 { true } else { false } }
            state.withLock {
                $0.pacedUntil = changes.count < Self.pacedOwners ? nil : start + pace
                $0.counts.add(
                    events: kept.reduce(0) { $0 + $1.0.events }, bytes: kept.reduce(0) { $0 + $1.0.bytes },
                    took: .now - start)
            }
            // Before the callback, so that the client sees that its bytes are no longer queued.
            settle(bytes)
            host.deliver {
                for (index, client) in clients.enumerated() { client.committed(changes[index], outcomes[index]) }
            }
        } catch let reason as Unwritable {
            return requeue(group, reason)
        } catch  where group.count > 1 {
            // One change of the group is bad. Retry them one by one, so that the others succeed.
            return state.withLock { state in
                state.waiting.putBack(group, single: true)
                state.isTrying = state.failure != nil
            }
        } catch {
            logger.error("A commit failed: \(error)")
            state.withLock { $0.counts.fail() }
            settle(bytes)
            host.deliver { for (index, client) in clients.enumerated() { client.failed(changes[index], error) } }
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
            host.deliver { self.host.unwritable(nil) }
        }
        if isRelieved { host.deliver { self.host.relieved() } }
    }

    /// Puts a group back that can't be written now.
    private func requeue(_ group: [CommitQueue.Entry], _ unwritable: Unwritable) {
        let reason = unwritable.description
        let isNew = state.withLock { state in
            // Changes that don't fit together may fit one by one.
            state.waiting.putBack(group, single: state.waiting.isSingle || unwritable.isFull)
            // A caller that asked for a retry in the meantime now has its answer.
            state.isTrying = false
            state.counts.fail()
            defer { state.failure = reason }
            return state.failure != reason
        }
        if isNew {
            logger.error("The archive can't be written: \(reason). Apps keep their events until it can.")
            host.deliver { self.host.unwritable(reason) }
        }
        host.later(retry) { self.tryAgain() }
    }
}
