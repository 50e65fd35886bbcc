import Dispatch
import Logging
import TapeArchive
import TapeEngine
import TapeFormat

/// Follows the tapes behind their commits. It applies each patch, so that a bad patch is found while the app can
/// still be asked for a full state. It also seals the lines, one chunk at a time.
///
/// Its memory is bounded: it reads from the archive, not from a queue, and can read everything again.
final class Sealer: Sendable, Committer.Client {
    private struct State {
        var followed = FollowedTapes()
        /// Sessions with unprocessed lines.
        var due = SealQueue()
        /// Sessions whose lines could not be sealed. They are read again from the archive.
        var failed: Set<String> = []
        /// Sessions that are tried again later, because the archive could not be read.
        var retrying: Set<String> = []
        /// Chunks that could not be committed, and the reason; not noted in the archive yet.
        var refused: [(seal: Seal, reason: String)] = []
        /// Sessions on which work has failed.
        var troubles: [Int64: RetryState] = [:]
        /// The number of chunks that are not committed yet.
        var uncommitted = 0
        var isRunning = false
        var isStopped = false
        /// The place where servers ended was noted: it counts once, however often this server looks for lines.
        var isEndNoted = false
    }

    private static let maxUncommitted = 8
    /// Sealing pauses while more bytes than this are queued for a commit.
    private static let maxWaiting = 256 << 10

    /// How long the work waits after a first commit. One look at a session then covers many of its commits.
    private static let pause = Duration.milliseconds(250)

    private let archive: any SessionCatalogue & TapeStore
    private let tapes: Tapes
    private let states: States
    private let committer: Committer
    private let apps: LiveApps
    private let retry: Duration
    private let marker: CrashMarker
    private let logger: Logger
    private let queue = DispatchQueue(label: "statetape.seal", qos: .background)
    private let state = Locked(State())

    /// - Parameter retry: The time to the next try if the archive can't be read.
    init(
        _ archive: any SessionCatalogue & TapeStore, _ tapes: Tapes, _ states: States, _ committer: Committer,
        apps: LiveApps, retry: Duration, marker: CrashMarker, logger: Logger
    ) {
        (self.archive, self.tapes, self.states) = (archive, tapes, states)
        (self.committer, self.apps, self.retry) = (committer, apps, retry)
        (self.marker, self.logger) = (marker, logger)
    }

    /// Seals the lines that an earlier server left unsealed.
    func sealLeft() {
        do {
            let troubles = try archive.troubles()
            let isEndNoted = state.withLock { state in
                state.troubles = troubles
                defer { state.isEndNoted = true }
                return state.isEndNoted
            }
            if let left = marker.left, marker.ends >= Self.maxEnds - 1, !isEndNoted {
                note(left, "\(marker.ends) servers in a row ended while they were sealing the lines")
            }
            for session in try archive.unsealed() where !apps.isLive(session) { advanced(session) }
        } catch {
            logger.error("Sessions with unsealed lines can't be listed: \(error)")
        }
    }

    /// More lines of the session are committed, or its app disconnected. In the second case the last lines are
    /// sealed too.
    func advanced(_ session: String) {
        let isIdle = state.withLock { state in
            defer { state.due.add(session) }
            return state.due.isEmpty
        }
        resume(in: isIdle ? Self.pause : .zero)
    }

    /// Stops, and returns once nothing runs. Unsealed lines stay for the next start.
    func stop() {
        state.withLock { $0.isStopped = true }
        queue.sync {}
    }

    func committed(_ change: Change, _ outcome: Outcome) {
        if case .seal(let seal) = change {
            state.withLock { state in
                if case .dropped = outcome {
                    // An earlier chunk, not yet committed, started at the same event. Process the lines again.
                    state.failed.insert(seal.id)
                    state.due.add(seal.id)
                } else if let trouble = state.troubles[seal.session], trouble.seq < seal.covers.upperBound {
                    state.troubles[seal.session] = nil
                }
            }
        }
        arrived()
    }

    func failed(_ change: Change, _ error: any Error) {
        if case .seal(let seal) = change {
            // Noted later: this is the loop's thread, which must not wait for the disk.
            state.withLock { state in
                state.failed.insert(seal.id)
                state.refused.append((seal, "\(error)"))
            }
        }
        arrived()
    }

    private func arrived() {
        let isIdle = state.withLock { state in
            state.uncommitted -= 1
            return state.uncommitted == 0 && state.due.isEmpty && state.refused.isEmpty
        }
        // Frees the space of the unsealed lines.
        if isIdle { committer.sweep() } else { resume() }
    }

    private func resume(in pause: Duration = .zero) {
        let start = state.withLock { state in
            guard !state.isRunning, !state.refused.isEmpty || !state.due.isEmpty && canContinue(state) else {
                return false
            }
            state.isRunning = true
            return true
        }
        if start { queue.asyncAfter(deadline: .now() + pause / .seconds(1)) { self.work() } }
    }

    /// Commits of fast apps have priority: sealing waits, and continues after a commit that leaves a short queue.
    private func canContinue(_ state: State) -> Bool {
        state.uncommitted < Self.maxUncommitted && committer.counts.waiting < Self.maxWaiting
    }

    private func work() {
        while let job = next() {
            switch job {
            case .note(let seal, let reason):
                let place = CrashMarker.Work(session: seal.session, seq: seal.covers.lowerBound)
                if note(place, reason) { advanced(seal.id) }
            case .follow(let id, let followed):
                do {
                    try follow(id, followed)
                } catch {
                    logger.error("The lines of session \(id) can't be sealed: \(error)")
                    if Unwritable.isTemporary(error) { tryLater(id) }
                }
                marker.end()
            }
        }
    }

    private enum SealJob {
        case note(Seal, reason: String)
        case follow(String, FollowedTape?)
    }

    /// Work that failed twice at the same event isn't tried again.
    private static let maxFailures = 2
    /// This many servers in a row that ended at one place count as failures. A few may simply have been killed.
    private static let maxEnds = 16

    /// Notes in the archive that the work failed at a place.
    ///
    /// - Returns: Whether to try again.
    @discardableResult
    private func note(_ place: CrashMarker.Work, _ reason: String) -> Bool {
        do {
            let count = try archive.noteTrouble(place.session, at: place.seq, reason)
            state.withLock { $0.troubles[place.session] = RetryState(seq: place.seq, count: count) }
            guard count >= Self.maxFailures else { return true }
            logger.error(
                """
                Session number \(place.session) is set aside: sealing its lines failed \(count) times at event \(place.seq): \
                \(reason). Its events can be read, exported and deleted; they take more room than sealed ones.
                """)
        } catch {
            logger.error("The note that sealing failed can't be stored: \(error)")
        }
        return false
    }

    private func next() -> SealJob? {
        state.withLock { state in
            if !state.isStopped, let (seal, reason) = state.refused.popLast() { return .note(seal, reason: reason) }
            guard !state.isStopped, canContinue(state), let id = state.due.next() else {
                state.isRunning = false
                return nil
            }
            let followed = state.followed.take(id)
            return .follow(id, state.failed.remove(id) == nil ? followed : nil)
        }
    }

    /// Processes the session's lines again after a while. One retry waits per session, however often it fails.
    private func tryLater(_ id: String) {
        guard state.withLock({ $0.retrying.insert(id).inserted }) else { return }
        queue.asyncAfter(deadline: .now() + retry / .seconds(1)) { [self] in
            state.withLock { _ = $0.retrying.remove(id) }
            advanced(id)
        }
    }

    /// Processes the lines of one batch.
    private func follow(_ id: String, _ known: consuming FollowedTape?) throws {
        guard let session = try archive.session(id) else { return }
        if known?.row != session.row { known = nil }
        let tape = tapes[session]
        let trouble = state.withLock { $0.troubles[session.row] }
        guard trouble?.count ?? 0 < Self.maxFailures else { return }
        let place = CrashMarker.Work(session: session.row, seq: known?.next ?? session.sealed)
        marker.begin(place)
        var followed: FollowedTape
        var seals: [Seal] = []
        do {
            followed = try known ?? FollowedTape(tape, archive, states)
            if followed.next < session.next,
                let lines = try tapes.reader.intactLines(of: session.row, from: followed.next)
            {
                for line in lines { seals += try followed.take(line, tape, states).map { [$0] } ?? [] }
            }
        } catch is DeletedSession {
            return
        } catch  where Unwritable.isTemporary(error) {
            throw error
        } catch {
            if note(place, "\(error)") { advanced(id) }
            throw error
        }
        let isDone = followed.next >= session.next
        let isOver = isDone && !apps.isLive(id)
        if isOver { seals += try followed.seal(session).map { [$0] } ?? [] }
        for seal in seals {
            state.withLock { $0.uncommitted += 1 }
            _ = committer.add(.seal(seal), self)
        }
        if isOver, followed.cost >= FreedMemory.large {
            // One from which this began may be left.
            states.forgetLarge(unusedFor: .zero)
            FreedMemory.giveBackSoon()
        }
        state.withLock { state in
            if !isDone { state.due.add(id) }
            if !isOver || state.due.contains(id) { state.followed.keep(followed, of: id) }
        }
    }
}

extension Sealer: CoreService {
    func handle(_ event: CoreEvent) {
        switch event {
        case .committed(let session, _, _), .shown(let session): advanced(session)
        case .disconnected(let link): if let session = link.session { advanced(session) }
        case .maintain: queue.async { self.sealLeft() }
        default: break
        }
    }
}
