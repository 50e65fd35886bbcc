import Foundation
import TapeArchive
import TapeEngine
import TapeFormat

/// Histograms, overviews and comparisons. They read whole sessions, so they may take long. One runs at a time per
/// session, and answers are cached.
final class SessionStatistics: Sendable {
    private struct Key: Hashable {
        let session: Int64
        let committed: Int
        let request: String
    }

    private struct State {
        /// The most recently used is last.
        var answers: [(key: Key, answer: JSON)] = []
        var overviews: [(session: Int64, overview: Overview)] = []
        /// Sessions that are being read, with the work that waits for them.
        var busy: [Int64: [@Sendable () -> Void]] = [:]
        var waiting = 0
        var isStopped = false
    }

    struct Stopped: Error {}

    private static let maxAnswers = 32
    private static let maxOverviews = 8
    private static let maxWaiting = 64
    private static let slice = Duration.milliseconds(100)

    private let searches: Searches
    private let state = Locked(State())

    init(_ searches: Searches) {
        self.searches = searches
    }

    /// Returns the cached answer, or calls `make` on another thread.
    ///
    /// - Parameters:
    ///   - client: Who asks.
    ///   - request: The request to the session as one text; the cache's key.
    ///   - make: Returns the answer, and whether it stays valid until more events are committed.
    /// - Throws: ``Problem`` 503 if too many requests are waiting.
    func answer(
        _ session: Session, for client: Requester, _ request: String,
        _ make: @escaping @Sendable () throws -> (JSON, isLasting: Bool),
        then: @escaping @Sendable (Result<JSON, any Error>) -> Void
    ) throws(Problem) {
        let key = Key(session: session.row, committed: session.next, request: request)
        if let answer = kept(key) { return then(.success(answer)) }
        try run(session.row, client) { [self] in
            // An identical request may have filled the cache while this one was waiting.
            if let answer = kept(key) { return then(.success(answer)) }
            then(
                Result {
                    let (answer, isLasting) = try make()
                    if isLasting { keep(answer, key) }
                    return answer
                })
        }
    }

    /// Returns the overview of a session up to its last commit, continued from the cached one.
    ///
    /// - Parameter scan: Returns a scan of all events from a seq on.
    func overview(_ session: Session, _ scan: (_ from: Int) -> EventScan) throws -> Overview {
        var overview =
            state.withLock { state in
                state.overviews.firstIndex { $0.session == session.row }.map {
                    state.overviews.remove(at: $0).overview
                }
            }.flatMap { $0.next <= session.next ? $0 : nil } ?? Overview()
        // Keeps a partial result too, so that the next request continues from it.
        defer {
            state.withLock { state in
                state.overviews.append((session.row, overview))
                if state.overviews.count > Self.maxOverviews { state.overviews.removeFirst() }
            }
        }
        var scan = scan(overview.next)
        try walk(&scan, until: nil) { overview.take($0) }
        return overview
    }

    /// Passes every event that the scan finds to `take`, up to a seq, until the deadline, or until `isFull`.
    func walk(
        _ scan: inout EventScan, to last: Int? = nil, until deadline: ContinuousClock.Instant? = nil,
        isFull: () -> Bool = { false }, _ take: (EventHead) -> Void
    ) throws {
        while !scan.isAtEnd, !isFull(), scan.next <= last ?? .max, deadline.map({ .now < $0 }) ?? true {
            try yieldTurn()
            try scan.run(until: .now + Self.slice) { head, _ in
                guard head.seq <= last ?? .max else { return false }
                take(head)
                return !isFull()
            }
        }
    }

    /// Lets other searches run. Throws when the server stops.
    func yieldTurn() throws(Stopped) {
        searches.yieldTurn()
        if state.withLock({ $0.isStopped }) { throw Stopped() }
    }

    /// Stops the running work.
    func stop() {
        state.withLock { $0.isStopped = true }
    }

    private func kept(_ key: Key) -> JSON? {
        state.withLock { state in
            guard let index = state.answers.firstIndex(where: { $0.key == key }) else { return nil }
            state.answers.append(state.answers.remove(at: index))
            return state.answers.last?.answer
        }
    }

    private func keep(_ answer: JSON, _ key: Key) {
        state.withLock { state in
            // No later request asks for an answer about fewer events.
            state.answers.removeAll { $0.key.session == key.session && $0.key.committed != key.committed }
            state.answers.append((key, answer))
            if state.answers.count > Self.maxAnswers { state.answers.removeFirst() }
        }
    }

    private func run(_ session: Int64, _ client: Requester, _ work: @escaping @Sendable () -> Void) throws(Problem) {
        // Control finds a place beside view-only links.
        let most = client.role == .control ? Self.maxWaiting : Self.maxWaiting / 2
        let (isTaken, isFirst) = state.withLock { state in
            guard state.waiting < most, !state.isStopped else { return (false, false) }
            state.waiting += 1
            if state.busy[session] == nil {
                state.busy[session] = []
                return (true, true)
            }
            state.busy[session]?.append(work)
            return (true, false)
        }
        guard isTaken else {
            throw Problem(
                503, "busy", "\(most) requests for statistics are waiting; try again later.", retryAfter: .seconds(1))
        }
        guard isFirst else { return }
        do throws(Problem) {
            try searches.run(for: client) { self.work(session, work) }
        } catch {
            // After an error, work that arrived in the meantime need not wait.
            let dropped = state.withLock { state in
                let dropped = state.busy.removeValue(forKey: session) ?? []
                state.waiting -= 1 + dropped.count
                return dropped
            }
            withExtendedLifetime(dropped) {}
            throw error
        }
    }

    private func work(_ session: Int64, _ first: @escaping @Sendable () -> Void) {
        var next: (@Sendable () -> Void)? = first
        while let work = next {
            work()
            next = state.withLock { state in
                state.waiting -= 1
                guard state.busy[session]?.isEmpty == false else {
                    state.busy[session] = nil
                    return nil
                }
                return state.busy[session]?.removeFirst()
            }
            // Gives other sessions their turn.
            searches.yieldTurn()
        }
    }
}
