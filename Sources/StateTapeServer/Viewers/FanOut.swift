import TapeArchive
import TapeFormat

/// Knows which viewers watch which sessions. On the loop's thread, after the commit in question.
final class FanOut {
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

    /// Lines of a session that were read for its viewers.
    struct Found: Sendable {
        /// Empty at the end of the session.
        var lines: ArraySlice<EventLine> = []
        /// Whether there may be more, after them.
        var hasMore = false
    }

    /// The most sessions whose lines are read at once, which limits the memory that they take.
    private static let maxRead = 64

    private let lines: (any LineSource)?
    private var viewers: [ObjectIdentifier: Viewer] = [:]
    /// The viewers that watch the list of sessions.
    private var ofSessions: [ObjectIdentifier: Viewer] = [:]
    private var ofSession: [String: Watched] = [:]
    /// Why the archive can't be written; nil if it can.
    private var failure: String?
    /// What each `statetape run` last reported.
    private(set) var runs: [JSON] = []

    /// - Parameter lines: Reads the lines that other servers have committed; nil if there are none.
    init(_ lines: (any LineSource)? = nil) {
        self.lines = lines
    }

    var count: Int { viewers.count }

    /// Whether there is a place for another viewer. No client takes all of them, and view-only links leave some to
    /// control, which also gets the place of the oldest of them.
    ///
    /// - Parameter limit: The most viewers.
    func makesRoom(for client: Requester, limit: Int) -> Bool {
        let others = viewers.values.filter { $0.client.role != .control }
        if client.role == .control {
            if viewers.count < limit { return true }
            guard let oldest = others.min(by: { $0.since < $1.since }) else { return false }
            viewers[ObjectIdentifier(oldest)] = nil
            oldest.giveWay()
            return true
        }
        let own = viewers.values.count { $0.client == client }
        return viewers.count < limit && own < max(1, limit / (client.isLocal ? 2 : 8))
            && others.count < max(1, limit * 3 / 4)
    }

    /// The subset of the sessions with a viewer that would get an update about them: viewers of the list get each,
    /// those of a session's events only its deletion.
    func watched(_ sessions: Set<String>, areDeleted: Bool) -> Set<String> {
        guard ofSessions.isEmpty else { return sessions }
        return areDeleted ? sessions.filter { ofSession[$0] != nil } : []
    }

    /// - Returns: Why the archive can't be written; nil if it can.
    func add(_ viewer: Viewer) -> String? {
        viewers[ObjectIdentifier(viewer)] = viewer
        return failure
    }

    /// - Parameter sessions: The sessions that the viewer watches.
    func remove(_ viewer: Viewer, from sessions: [String]) {
        viewers[ObjectIdentifier(viewer)] = nil
        ofSessions[ObjectIdentifier(viewer)] = nil
        for session in sessions { unwatch(session, viewer) }
    }

    func watchSessions(_ viewer: Viewer) {
        ofSessions[ObjectIdentifier(viewer)] = viewer
    }

    func watch(_ session: String, _ viewer: Viewer) {
        ofSession[session, default: Watched()].viewers[ObjectIdentifier(viewer)] = viewer
    }

    func unwatch(_ session: String, _ viewer: Viewer) {
        ofSession[session]?.viewers[ObjectIdentifier(viewer)] = nil
        if ofSession[session]?.viewers.isEmpty == true { ofSession[session] = nil }
    }

    /// Viewers read the lines below `next` for themselves, as stored at some time after they began to watch.
    func began(_ session: String, at next: Int) {
        read([session]) { $0.next = $0.next ?? next }
    }

    /// Sends lines of a session to its viewers, which this server has just committed.
    func publish(_ session: String, _ lines: [EventLine]) {
        guard let first = lines.first?.first, let next = lines.last.map({ $0.seq + 1 }) else { return }
        guard let watched = ofSession[session] else { return }
        // Otherwise another server has committed the lines before these.
        guard !watched.isReading, watched.next ?? first == first else { return committed([session]) }
        ofSession[session]?.next = next
        send(session, lines)
    }

    /// Lines of the sessions are committed, perhaps by another server: reads those that the viewers don't have.
    func committed(_ sessions: Set<String>) {
        read(sessions) { $0.hasMore = true }
    }

    private func read(_ sessions: Set<String>, _ change: (inout Watched) -> Void = { _ in }) {
        var places: [String: Int] = [:]
        for session in sessions {
            guard var watched = ofSession[session] else { continue }
            change(&watched)
            places[session] = watched.read()
            ofSession[session] = watched
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
        if ofSession[session]?.next == seq, let found, next > seq { send(session, Array(found.lines)) }
        guard var watched = ofSession[session] else { return }
        watched.isReading = false
        // The session may be another one by now, or watched anew.
        if watched.next == seq { watched.next = next }
        if found?.hasMore ?? true { watched.hasMore = true }
        ofSession[session] = watched
    }

    private func send(_ session: String, _ lines: [EventLine]) {
        guard let viewers = ofSession[session]?.viewers.values, !viewers.isEmpty else { return }
        let messages = EventMessages.make(session, lines)
        for viewer in viewers { viewer.publish(session, lines, as: messages) }
    }

    /// News of other servers were missed: reads for the viewers of events, and closes those of the list, which then
    /// load it again.
    func missed() {
        committed(Set(ofSession.keys))
        for viewer in ofSessions.values { viewer.reload() }
    }

    /// Sends a session's summary, or its deletion if nil. A deletion also goes to viewers that only watch the
    /// session's events.
    func publish(summary: JSON?, of session: String) {
        let message = ViewerLine.session(summary ?? ["session": .string(session), "deleted": true]).bytes
        var viewers = ofSessions
        if summary == nil {
            // It may be uploaded again.
            ofSession[session]?.next = nil
            viewers.merge(ofSession[session]?.viewers ?? [:]) { one, _ in one }
        }
        for viewer in viewers.values { viewer.publish(summary: message, of: session) }
    }
}

/// Reads lines of sessions for their viewers.
protocol LineSource: Sendable {
    /// Reads each session's lines from a seq on. Calls back on the loop's thread, perhaps more than once, but once for each
    /// session: with nil for one that can't be read now, after a while, so that it is tried again.
    func read(_ places: [String: Int], then: @escaping ([String: FanOut.Found?]) -> Void)
}

extension FanOut: CoreService {
    func handle(_ event: CoreEvent) {
        switch event {
        case .committed(let session, let batch, _): publish(session, batch.lines)
        case .unwritable(let reason):
            failure = reason
            for viewer in viewers.values { viewer.send(.archive(error: reason)) }
        case .runs(let all):
            runs = all
            for viewer in ofSessions.values { viewer.send(.runs(all)) }
        case .peer(.committed(let sessions)): committed(sessions)
        case .peer(.missed): missed()
        default: break
        }
    }
}
