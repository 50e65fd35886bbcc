import TapeArchive
import TapeEngine
import TapeFormat
import TapeSockets

extension API {
    /// After this time, the tree has what was found so far.
    private static let maxFinding = Duration.seconds(10)

    func addCauses(_ routes: inout Routes) {
        session(&routes, "GET", "/events/{seq}/causes") { session, exchange, names in
            try causes(session, seq(names, session), exchange)
        }
    }

    /// What started an event, and what it started: see ``CauseTree``.
    func causes(_ session: Session, _ seq: Int, _ exchange: HTTPExchange) throws -> HTTPResponse? {
        try search(exchange) {
            var tree = try CauseTree(tapes[session], of: seq)
            var scan = self.scan(session, from: seq + 1, for: exchange)
            try statistics.walk(&scan, until: .now + Self.maxFinding, isFull: { tree.isFull }) { tree.take($0) }
            let members = tree.members(next: scan.isAtEnd ? nil : scan.next)
            return Answer.json(.object(JSON.Object(members + [("committed", .number(.init(session.next)))])))
        }
        return nil
    }
}
