import TapeArchive
import TapeEngine
import TapeFormat
import TapeSockets

extension API {
    private static let maxMatches = 100_000

    func addMatches(_ routes: inout Routes) {
        session(&routes, "GET", "/matches", hasQuery: true) { session, exchange, _ in
            try matches(session, exchange)
        }
    }

    /// The seqs of the events from a seq on that pass the query's filter, without the first `offset` ones.
    ///
    /// To continue, a client passes `next` and `offset` of the answer.
    func matches(_ session: Session, _ exchange: HTTPExchange) throws -> HTTPResponse? {
        let query = try Query(exchange.request, "from", "limit", "offset", "bookmarked", lists: EventFilter.names)
        let limit = try query.count("limit", 0...Self.maxMatches) ?? 10_000
        let (from, offset) = (try query.count("from") ?? 0, try query.count("offset") ?? 0)
        let scan = self.scan(session, from: from, try filter(query, session), for: exchange)
        try search(exchange) { try matches(scan, limit, offset, session) }
        return nil
    }

    private func matches(_ scan: EventScan, _ limit: Int, _ offset: Int, _ session: Session) throws -> HTTPResponse {
        var (scan, offset) = (scan, offset)
        var seqs: [JSON] = []
        if limit > 0 {
            try scan.run(until: .now + searches.scan) { head, _ in
                if offset > 0 { offset -= 1 } else { seqs.append(.number(.init(head.seq))) }
                return seqs.count < limit
            }
        }
        return Answer.json([
            "seqs": .array(seqs), "next": scan.next < session.next ? .number(.init(scan.next)) : .null,
            "offset": .number(.init(offset)), "committed": .number(.init(session.next)),
        ])
    }
}
