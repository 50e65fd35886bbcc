import TapeArchive
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

    /// The first difference between two sessions, and the patch between their states there.
    func diff(_ left: Session, _ right: Session, _ exchange: HTTPExchange) throws -> HTTPResponse? {
        try statistics.answer(left, for: access.client(exchange.request), "diff \(right.row) \(right.next)") {
            let deadline = ContinuousClock.now + Self.maxComparing
            var difference = TapeDifference(tapes[left], tapes[right], states)
            let answer = try difference.answer { compared in
                try statistics.yieldTurn()
                if exchange.isPeerGone { throw SearchLimit.Cancelled() }
                if .now >= deadline {
                    throw Problem(
                        503, "too-long",
                        "The comparison took over 30 seconds. The first \(compared) events are the same.")
                }
            }
            return (answer, isLasting: true)
        } then: { result in
            self.answer(exchange, result)
        }
        return nil
    }

    /// The session with an id, or with an id that starts with ten or more characters.
    private func other(_ name: String) throws -> Session {
        if let session = try archive.session(name) { return session }
        guard let session = try archive.session(fullID(name)) else { throw Self.absent(name) }
        return session
    }
}
