import TapeFormat

/// What one viewer watches, and which events it missed. Pure.
struct ViewerState {
    /// The most bytes queued for a viewer. Above this it gets `behind` instead of more events.
    static let bound = 4 << 20
    /// The most sessions that one viewer may watch.
    static let maxSessions = 1_024

    private enum Watch {
        /// Its starting point must be read. Events below `missed` arrived in the meantime.
        case asked(missed: Int)
        /// Its starting point is being read.
        case reading(missed: Int)
        /// The viewer gets all events from this seq on.
        case live(from: Int)
    }

    private var watched: [String: Watch] = [:]
    private var isReading = false
    /// Sessions whose events the viewer missed, up to below this seq.
    private var holes: [String: Int] = [:]
    /// Sessions whose summary the viewer missed.
    private var missed: Set<String> = []

    var isBehind: Bool { !missed.isEmpty || !holes.isEmpty }
    var sessions: [String] { Array(watched.keys) }

    /// - Returns: False if the viewer already watches the maximum.
    mutating func watch(_ session: String) -> Bool {
        guard watched[session] != nil || watched.count < Self.maxSessions else { return false }
        watched[session] = .asked(missed: 0)
        holes[session] = nil
        return true
    }

    mutating func unwatch(_ session: String) {
        watched[session] = nil
        holes[session] = nil
    }

    /// The sessions whose `next` must be read now. Empty while a read is running.
    mutating func takeAsked() -> Set<String> {
        guard !isReading else { return [] }
        var sessions: Set<String> = []
        for case (let session, .asked(let missed)) in watched {
            watched[session] = .reading(missed: missed)
            sessions.insert(session)
        }
        isReading = !sessions.isEmpty
        return sessions
    }

    /// The `next` of each session that was taken, as committed at some time since then.
    mutating func found(_ next: [String: Int]) -> [ViewerLine] {
        isReading = false
        var lines: [ViewerLine] = []
        for case (let session, .reading(let missed)) in watched {
            let next = max(next[session] ?? 0, missed)
            watched[session] = .live(from: next)
            lines.append(.watching(session: session, next: next))
        }
        return lines
    }

    /// Events of a session are committed.
    ///
    /// - Returns: The first of them to send to the viewer, which may have begun to watch in their middle; nil if
    ///   there is none to send.
    mutating func publish(_ session: String, _ events: Range<Int>, outstanding: Int) -> Int? {
        let next = events.upperBound
        switch watched[session] {
        case nil: break
        case .asked(let missed): watched[session] = .asked(missed: max(missed, next))
        case .reading(let missed): watched[session] = .reading(missed: max(missed, next))
        case .live(let from) where next <= from: break
        case .live(let from) where holes[session] == nil && outstanding <= Self.bound:
            return max(from, events.lowerBound)
        case .live: holes[session] = next
        }
        return nil
    }

    /// Like `publish`, for a session's summary.
    mutating func publish(summaryOf session: String, outstanding: Int) -> Bool {
        if outstanding <= Self.bound { return true }
        missed.insert(session)
        return false
    }

    /// The viewer has read everything, so it is live again.
    ///
    /// - Returns: The lines that tell it where it is live again, and the sessions whose summary it missed.
    mutating func drained() -> (lines: [ViewerLine], missed: Set<String>) {
        defer {
            holes = [:]
            missed = []
        }
        return (holes.map { .behind(session: $0, next: $1) }, missed)
    }
}
