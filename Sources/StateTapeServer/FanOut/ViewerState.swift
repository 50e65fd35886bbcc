#if Server
    import TapeFormat

    /// What one viewer watches, and where it fell behind. Pure.
    struct ViewerState {
        /// Bytes that may wait for a viewer before it is told `behind` in place of more.
        static let bound = 4 << 20

        /// The sessions watched; a number where the viewer missed what came before it.
        private var watched: [String: Int?] = [:]
        /// Sessions whose summary it missed.
        private var missed: Set<String> = []

        var isBehind: Bool { !missed.isEmpty || watched.values.contains { $0 != nil } }

        mutating func watch(_ session: String, next: Int) -> ViewerLine {
            watched.updateValue(nil, forKey: session)
            return .watching(session: session, next: next)
        }

        mutating func unwatch(_ session: String) {
            watched.removeValue(forKey: session)
        }

        /// Events of a session up to below `next` are there.
        ///
        /// - Returns: Whether they are to be sent to the viewer.
        mutating func publish(_ session: String, next: Int, outstanding: Int) -> Bool {
            guard let behind = watched[session] else { return false }
            if behind == nil, outstanding <= Self.bound { return true }
            watched.updateValue(next, forKey: session)
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
            var lines: [ViewerLine] = []
            for case (let session, let next?) in watched {
                lines.append(.behind(session: session, next: next))
                watched.updateValue(nil, forKey: session)
            }
            defer { missed = [] }
            return (lines, missed)
        }
    }
#endif
