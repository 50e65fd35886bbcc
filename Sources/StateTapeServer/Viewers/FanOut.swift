import TapeArchive
import TapeFormat

/// Knows which viewers watch which sessions. Everything runs on the loop's thread, after the commit in question.
final class FanOut: Sendable {
    /// A session that viewers watch.
    private struct Watched {
        var viewers: [ObjectIdentifier: Viewer] = [:]
        /// Every event below was sent, or is one that viewers read for themselves; nil until that is known.
        var next: Int?
        /// Whether lines from `next` on are being read for the viewers, and whether there may be more of them.
        var isReading = false
        var hasMore = false

        /// - Returns: Where to read; nil if nothing is to be read now.
        mutating func read() -> Int? {
            guard hasMore, !isReading, let next else { return nil }
            (hasMore, isReading) = (false, true)
            return next
        }
    }

    private struct State {
        var viewers: [ObjectIdentifier: Viewer] = [:]
        /// The viewers that watch the list of sessions.
        var ofSessions: [ObjectIdentifier: Viewer] = [:]
        var ofSession: [String: Watched] = [:]
        /// Why the archive can't be written; nil if it can.
        var failure: String?
        /// What each `statetape run` last reported.
        var runs: [JSON] = []

        mutating func remove(_ viewer: ObjectIdentifier, from session: String) {
            ofSession[session]?.viewers[viewer] = nil
            if ofSession[session]?.viewers.isEmpty == true { ofSession[session] = nil }
        }
    }

    /// The most sessions whose lines are read at once, which limits the memory that they take.
    private static let maxRead = 64

    private let state = Locked(State())
    private let lines: (any LineSource)?

    /// Lines of a session that were read for its viewers.
    struct Found: Sendable {
        /// Empty at the end of the session.
        var lines: ArraySlice<EventLine> = []
        /// Whether there may be more, after them.
        var hasMore = false
    }

    /// - Parameter lines: Reads the lines that other servers have committed; nil if there are none.
    init(_ lines: (any LineSource)? = nil) {
        self.lines = lines
    }

    var count: Int { state.withLock { $0.viewers.count } }
    /// What each `statetape run` last reported.
    var runs: [JSON] { state.withLock { $0.runs } }

    /// Whether there is a place for another viewer. No client takes all of them, and view-only links leave some to
    /// control, which also gets the place of the oldest of them.
    ///
    /// - Parameter limit: The most viewers.
    func makesRoom(for client: Requester, limit: Int) -> Bool {
        let (isFree, oldest) = state.withLock { state -> (Bool, Viewer?) in
            let viewers = state.viewers.values
            guard client.role != .control else {
                if viewers.count < limit { return (true, nil) }
                let oldest = viewers.filter { $0.client.role != .control }.min { $0.since < $1.since }
                guard let oldest else { return (false, nil) }
                state.viewers[ObjectIdentifier(oldest)] = nil
                return (true, oldest)
            }
            let own = viewers.count { $0.client == client }
            let others = viewers.count { $0.client.role != .control }
            let isFree =
                viewers.count < limit && own < max(1, limit / (client.isLocal ? 2 : 8))
                && others < max(1, limit * 3 / 4)
            return (isFree, nil)
        }
        oldest?.giveWay()
        return isFree
    }

    /// The subset of the sessions with a viewer that would get an update about them: viewers of the list get each,
    /// those of a session's events only its deletion.
    func watched(_ sessions: Set<String>, areDeleted: Bool) -> Set<String> {
        state.withLock { state in
            guard state.ofSessions.isEmpty else { return sessions }
            return areDeleted ? sessions.filter { state.ofSession[$0] != nil } : []
        }
    }

    /// - Returns: Why the archive can't be written; nil if it can.
    func add(_ viewer: Viewer) -> String? {
        state.withLock { state in
            state.viewers[ObjectIdentifier(viewer)] = viewer
            return state.failure
        }
    }

    /// - Parameter sessions: The sessions that the viewer watches.
    func remove(_ viewer: Viewer, from sessions: [String]) {
        let id = ObjectIdentifier(viewer)
        state.withLock { state in
            state.viewers[id] = nil
            state.ofSessions[id] = nil
            for session in sessions { state.remove(id, from: session) }
        }
    }

    func watchSessions(_ viewer: Viewer) {
        state.withLock { $0.ofSessions[ObjectIdentifier(viewer)] = viewer }
    }

    func watch(_ session: String, _ viewer: Viewer) {
        state.withLock { $0.ofSession[session, default: Watched()].viewers[ObjectIdentifier(viewer)] = viewer }
    }

    func unwatch(_ session: String, _ viewer: Viewer) {
        state.withLock { $0.remove(ObjectIdentifier(viewer), from: session) }
    }

    /// Viewers read the lines below `next` for themselves, as stored at some time after they began to watch.
    func began(_ session: String, at next: Int) {
        read([session]) { $0.next = $0.next ?? next }
    }

    /// Sends lines of a session to its viewers, which this server has just committed.
    func publish(_ session: String, _ lines: [EventLine]) {
        guard let first = lines.first?.first, let next = lines.last.map({ $0.seq + 1 }) else { return }
        let isNext = state.withLock { state -> Bool in
            guard let watched = state.ofSession[session] else { return false }
            // Otherwise another server has committed the lines before these.
            guard !watched.isReading, watched.next ?? first == first else { return false }
            state.ofSession[session]?.next = next
            return true
        }
        if isNext { send(session, lines) } else { committed([session]) }
    }

    /// Lines of the sessions are committed, perhaps by another server: reads those that the viewers don't have.
    func committed(_ sessions: Set<String>) {
        read(sessions) { $0.hasMore = true }
    }

    private func read(_ sessions: Set<String>, _ change: (inout Watched) -> Void = { _ in }) {
        let places = state.withLock { state in
            var places: [String: Int] = [:]
            for session in sessions {
                guard var watched = state.ofSession[session] else { continue }
                change(&watched)
                places[session] = watched.read()
                state.ofSession[session] = watched
            }
            return places
        }
        for start in stride(from: 0, to: places.count, by: Self.maxRead) {
            let part = Dictionary(uniqueKeysWithValues: places.dropFirst(start).prefix(Self.maxRead).map { $0 })
            lines?.read(part) { [weak self] found in
                for (session, found) in found { self?.found(found, of: session, from: part[session] ?? 0) }
                self?.read(Set(found.keys))
            }
        }
    }

    private func found(_ found: Found?, of session: String, from seq: Int) {
        let next = found?.lines.last.map { $0.seq + 1 } ?? seq
        let isWatched = state.withLock { $0.ofSession[session]?.next == seq }
        if isWatched, let found, next > seq { send(session, Array(found.lines)) }
        state.withLock { state in
            guard var watched = state.ofSession[session] else { return }
            watched.isReading = false
            // The session may be another one by now, or watched anew.
            if watched.next == seq { watched.next = next }
            if found?.hasMore ?? true { watched.hasMore = true }
            state.ofSession[session] = watched
        }
    }

    private func send(_ session: String, _ lines: [EventLine]) {
        let viewers = state.withLock { $0.ofSession[session]?.viewers ?? [:] }.values
        guard !viewers.isEmpty else { return }
        let messages = EventMessages.make(session, lines)
        for viewer in viewers { viewer.publish(session, lines, as: messages) }
    }

    /// News of other servers were missed: reads for the viewers of events, and closes those of the list, which then
    /// load it again.
    func missed() {
        let (sessions, lists) = state.withLock { ($0.ofSession.keys, $0.ofSessions.values) }
        committed(Set(sessions))
        for viewer in lists { viewer.reload() }
    }

    /// Sends a session's summary, or its deletion if nil. A deletion also goes to viewers that only watch the
    /// session's events.
    func publish(summary: JSON?, of session: String) {
        let message = ViewerLine.session(summary ?? ["session": .string(session), "deleted": true]).bytes
        let viewers = state.withLock { state in
            guard summary == nil else { return state.ofSessions }
            // It may be uploaded again.
            state.ofSession[session]?.next = nil
            return state.ofSessions.merging(state.ofSession[session]?.viewers ?? [:]) { one, _ in one }
        }
        for viewer in viewers.values { viewer.publish(summary: message, of: session) }
    }

    /// Sends all runs of `statetape run`.
    func publish(runs: [JSON]) {
        let viewers = state.withLock { state in
            state.runs = runs
            return state.ofSessions.values
        }
        for viewer in viewers { viewer.send(.runs(runs)) }
    }

    /// Sends why the archive can't be written, or nil once it can.
    func publish(failure: String?) {
        let viewers = state.withLock { state in
            state.failure = failure
            return state.viewers.values
        }
        for viewer in viewers { viewer.send(.archive(error: failure)) }
    }
}

/// Reads lines of sessions for their viewers.
protocol LineSource: Sendable {
    /// Reads each session's lines from a seq on. Calls back on the loop's thread, perhaps more than once, but once for each
    /// session: with nil for one that can't be read now, after a while, so that it is tried again.
    func read(_ places: [String: Int], then: @escaping @Sendable ([String: FanOut.Found?]) -> Void)
}

extension FanOut: CoreService {
    func handle(_ event: CoreEvent) {
        switch event {
        case .committed(let session, let batch, _): publish(session, batch.lines)
        case .unwritable(let reason): publish(failure: reason)
        case .peer(.committed(let sessions)): committed(sessions)
        case .peer(.missed): missed()
        default: break
        }
    }
}
