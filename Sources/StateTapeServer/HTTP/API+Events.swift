#if Server
    import TapeFormat
    import TapeSockets

    extension API {
        private static let maxEvents = 10_000
        /// A list ends after the line that reaches this.
        private static let maxBody = 8 << 20
        static let maxScan = Duration.milliseconds(50)

        func addEvents(_ routes: inout Routes) {
            session(&routes, "GET", "/events") { session, exchange, _ in try events(session, exchange.request) }
            session(&routes, "GET", "/events/{seq}") { session, exchange, names in
                try event(session, seq(names, session), exchange.request)
            }
            session(&routes, "GET", "/states/{seq}") { session, exchange, names in
                try state(session, seq(names, session), exchange.request)
            }
        }

        /// Event lines from a seq on that pass the query's filter, or their heads.
        func events(_ session: Session, _ request: HTTPRequest) throws -> HTTPResponse {
            let query = Query(request)
            let limit = min(try query.count("limit") ?? 1_000, Self.maxEvents)
            let onlyHeads = query["fields"] == "head"
            var body: [UInt8] = []
            var matches = 0
            var scan = self.scan(session, from: try query.count("from") ?? 0, try EventFilter(query))
            if limit > 0 {
                try scan.run(until: .now + Self.maxScan) { head, scan in
                    if onlyHeads { head.write(to: &body) } else { body += try scan.line(head) }
                    body.append(UInt8(ascii: "\n"))
                    matches += 1
                    return matches < limit && body.count < Self.maxBody
                }
            }
            return Answer.lines(
                body,
                headers: [("StateTape-Next", String(scan.next)), ("StateTape-Committed", String(session.next))])
        }

        func event(_ session: Session, _ seq: Int, _ request: HTTPRequest) throws -> HTTPResponse {
            guard let line = try tape.line(of: session.row, at: seq) else {
                throw Problem(404, "event-absent", "There is no such event.")
            }
            return lasting(HTTPResponse(status: 200, body: line.bytes), session, seq, request)
        }

        /// The state of a store after an event.
        func state(_ session: Session, _ seq: Int, _ request: HTTPRequest) throws -> HTTPResponse {
            let state = try state(session, store: Query(request)["store"] ?? "main", after: seq)
            return lasting(
                HTTPResponse(status: 200, headers: [("StateTape-Seq", String(seq))], body: state.bytes), session, seq,
                request)
        }

        func state(_ session: Session, store: String, after seq: Int) throws -> JSON {
            func nearest(_ before: Int?, _ after: Int?) -> [(String, JSON)] {
                [("before", before), ("after", after)].compactMap { name, seq in seq.map { (name, .number(.init($0))) }
                }
            }
            switch try states.state(of: session, store: store, after: seq) {
            case .state(let state): return state
            case .absent:
                throw Problem(404, "store-absent", "Store “\(store)” isn't attached after event \(seq).")
            case .skipped(let before, let after):
                throw Problem(
                    409, "state-skipped", "The app did not record the state after event \(seq).",
                    nearest(before, after))
            case .broken(let before, let after):
                throw Problem(
                    409, "broken", "The state after event \(seq) is relative to one that is not held.",
                    nearest(before, after))
            }
        }

        /// What never changes may be kept, where the address names the version.
        private func lasting(
            _ response: HTTPResponse, _ session: Session, _ seq: Int, _ request: HTTPRequest
        ) -> HTTPResponse {
            var response = response
            let isLasting = seq < session.sealed && Query(request)["v"] == String(session.version)
            response.headers += [("content-type", "application/json")]
            response.headers += Answer.headers.map { name, value in
                name == "cache-control" && isLasting ? (name, "private, max-age=31536000, immutable") : (name, value)
            }
            return response
        }
    }
#endif
