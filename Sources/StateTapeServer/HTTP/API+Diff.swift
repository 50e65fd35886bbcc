#if Server
    import TapeEngine
    import TapeFormat
    import TapeSockets

    extension API {
        private static let maxComparing = Duration.seconds(30)

        func addDiff(_ routes: inout Routes) {
            session(&routes, "GET", "/diff/{other}") { session, exchange, names in
                try diff(session, other(names["other"] ?? ""), exchange)
            }
        }

        /// The first difference between two sessions, and the patch from the first one's state there to the other's.
        func diff(_ left: Session, _ right: Session, _ exchange: HTTPExchange) throws -> HTTPResponse? {
            try figures.answer(left, "diff \(right.row) \(right.next)") {
                let deadline = ContinuousClock.now + Self.maxComparing
                var difference = TapeDifference(tapes[left], tapes[right], states)
                let answer = try difference.answer { compared in
                    try figures.giveWay()
                    if exchange.isPeerGone { throw SearchLimit.Cancelled() }
                    if .now >= deadline {
                        throw Problem(
                            503, "too-long",
                            "\(compared) events are the same; comparing more takes longer than half a minute.")
                    }
                }
                return (answer, isLasting: true)
            } then: { result in
                self.answer(exchange, result)
            }
            return nil
        }

        /// The session that an id names, or ten or more characters of its beginning.
        private func other(_ name: String) throws -> Session {
            if let session = try archive.session(name) { return session }
            guard let session = try archive.session(fullID(name)) else { throw Self.absent(name) }
            return session
        }
    }
#endif
