#if Server
    import Synchronization
    import TapeEngine
    import TapeFormat
    import TapeSockets

    extension API {
        /// Streams the tape, or the part of it from `from` up to and with `to`, with the states before it.
        func download(_ session: Session, _ exchange: HTTPExchange) throws -> HTTPResponse? {
            let query = try Query(exchange.request, "format", "from", "to", "store")
            let format = try query.choice("format", "tape", "redux-devtools", "html")
            if format == "redux-devtools" { return try reduxFile(session, exchange) }
            let range = try part(of: session, query)
            let file = Mutex(try TapeExport(tapes[session], range, states))
            let pieces: @Sendable () throws -> [UInt8]? = { try file.withLock { try $0.piece() } }
            if format == "html" { return try page(session, range, exchange, pieces) }
            exchange.stream(
                status: 200,
                headers: [
                    ("content-type", "application/x-ndjson"),
                    ("content-disposition", "attachment; filename=\"\(session.id).tape\""),
                    ("etag", Self.tag(session, exchange.request)),
                ] + Answer.headers, next: pieces)
            return nil
        }

        /// The events of a session that a query means by “from” and “to”.
        func part(of session: Session, _ query: Query) throws(Problem) -> Range<Int> {
            let (from, to) = try query.range()
            let first = min(max(from ?? 0, session.first), session.next)
            return first..<max(first, min((to ?? session.next - 1) + 1, session.next))
        }

        /// Streams the page with the tape inside, and what is marked on it.
        private func page(
            _ session: Session, _ range: Range<Int>, _ exchange: HTTPExchange,
            _ tape: @escaping @Sendable () throws -> [UInt8]?
        ) throws -> HTTPResponse? {
            let marks = try archive.bookmarks(of: session.row).filter { range ~= $0.place.seq }.map(\.json)
            let bookmarks: JSON? = marks.isEmpty ? nil : ["session": .string(session.id), "all": .array(marks)]
            let file: OnePageFile
            do {
                file = try OnePageFile(OnePage(page), name: "\(session.id).tape", bookmarks: bookmarks)
            } catch let failure as OnePage.Failure {
                throw Problem(422, "unsupported", "\(failure).")
            }
            let state = Mutex(file)
            // Were it shown in place of being saved, it could do nothing with the server.
            let headers = Answer.headers.map { $0.0 == "content-security-policy" ? ($0.0, "sandbox") : $0 }
            exchange.stream(
                status: 200,
                headers: [
                    ("content-type", "text/html; charset=utf-8"),
                    ("content-disposition", "attachment; filename=\"\(session.id).html\""),
                ] + headers
            ) { try state.withLock { try $0.piece(tape) } }
            return nil
        }

        /// A tag of what a download is made from.
        static func tag(_ session: Session, _ request: HTTPRequest) -> String {
            let query = request.query.flatMap { [$0.name, $0.value] }
            let parts = [Server.name, "\(session.version)", "\(session.next)", session.header.json.text] + query
            return "\"\(SHA256.hex(parts.debugDescription).prefix(32))\""
        }
    }
#endif
