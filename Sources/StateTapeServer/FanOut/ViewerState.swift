#if Server
    import TapeFormat

    /// What one viewer watches, and where it fell behind. Pure.
    struct ViewerState {
        /// Bytes that may wait for a viewer before it is told `behind` in place of more.
        static let bound = 4 << 20
        /// Sessions that one viewer may watch.
        static let maxSessions = 1_024

        private enum Watch {
            /// Where it begins is to be read. Events up to below `missed` came meanwhile.
            case asked(missed: Int)
            /// Where it begins is being read.
            case reading(missed: Int)
            /// The viewer is told of what comes from there on.
            case live(from: Int)
        }

        private var watched: [String: Watch] = [:]
        private var isReading = false
        /// Sessions of which the viewer missed the events below.
        private var holes: [String: Int] = [:]
        /// Sessions whose summary it missed.
        private var missed: Set<String> = []

        var isBehind: Bool { !missed.isEmpty || !holes.isEmpty }
        var sessions: [String] { Array(watched.keys) }

        /// - Returns: False if it watches as many as it may.
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

        /// The sessions whose `next` is to be read now; none while some are being read.
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

        /// The `next` of each session that was taken, as committed at some moment since.
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

        /// Events of a session up to below `next` are there.
        ///
        /// - Returns: Whether they are to be sent to the viewer.
        mutating func publish(_ session: String, next: Int, outstanding: Int) -> Bool {
            switch watched[session] {
            case nil: return false
            case .asked(let missed): watched[session] = .asked(missed: max(missed, next))
            case .reading(let missed): watched[session] = .reading(missed: max(missed, next))
            case .live(let from) where next <= from: return false
            case .live where holes[session] == nil && outstanding <= Self.bound: return true
            case .live: holes[session] = next
            }
            return false
        }

        /// As `publish`, for a session's summary.
        mutating func publish(summaryOf session: String, outstanding: Int) -> Bool {
            if outstanding <= Self.bound { return true }
            missed.insert(session)
            return false
        }

        /// The viewer has read everything: it is live again.
        ///
        /// - Returns: What tells it where, and the sessions whose summary it lacks.
        mutating func drained() -> (lines: [ViewerLine], missed: Set<String>) {
            defer {
                holes = [:]
                missed = []
            }
            return (holes.map { .behind(session: $0, next: $1) }, missed)
        }
    }
#endif
