#if Server
    import TapeFormat
    import TapeSockets

    extension API {
        private static let maxMatches = 100_000

        func addMatches(_ routes: inout Routes) {
            session(&routes, "GET", "/matches") { session, exchange, _ in try matches(session, exchange.request) }
        }

        /// The seqs of events that pass the query's filter, from a seq on; the first `offset` of them are left out.
        ///
        /// Who goes on passes `next` and `offset` of the answer: the rest of those to be left out.
        func matches(_ session: Session, _ request: HTTPRequest) throws -> HTTPResponse {
            let query = Query(request)
            let limit = min(try query.count("limit") ?? 10_000, Self.maxMatches)
            var offset = try query.count("offset") ?? 0
            var seqs: [JSON] = []
            var scan = self.scan(session, from: try query.count("from") ?? 0, try EventFilter(query))
            if limit > 0 {
                try scan.run(until: .now + Self.maxScan) { head, _ in
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
#endif
