import TapeArchive
import TapeEngine
import TapeFormat
import TapeSockets

extension API {
    /// Streams the tape, or the events from `from` to `to` (inclusive) with the states before them.
    func download(_ session: Session, _ exchange: HTTPExchange) throws -> HTTPResponse? {
        let query = try Query(exchange.request, "format", "from", "to", "store")
        let format = try query.choice("format", "tape", "redux-devtools", "html")
        if format == "redux-devtools" { return try reduxFile(session, exchange) }
        let range = try part(of: session, query)
        let file = Locked(try TapeExport(tapes[session], range, states, header: session.namedHeader))
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

    /// The range of events that the query's “from” and “to” select.
    func part(of session: Session, _ query: Query) throws(Problem) -> Range<Int> {
        let (from, to) = try query.range()
        let first = min(max(from ?? 0, session.first), session.next)
        return first..<max(first, min((to ?? session.next - 1) + 1, session.next))
    }

    /// Streams the page with the tape and its bookmarks in one file.
    private func page(
        _ session: Session, _ range: Range<Int>, _ exchange: HTTPExchange,
        _ tape: @escaping @Sendable () throws -> [UInt8]?
    ) throws -> HTTPResponse? {
        let marks = try archive.bookmarks(of: session.row).filter { range ~= $0.content.seq }.map(\.json)
        let bookmarks: JSON? = marks.isEmpty ? nil : ["session": .string(session.id), "all": .array(marks)]
        let file: OnePageFile
        do {
            file = try OnePageFile(.of(page), name: "\(session.id).tape", bookmarks: bookmarks)
        } catch let failure as OnePage.Failure {
            throw Problem(422, "unsupported", "\(failure).")
        }
        let state = Locked(file)
        // If a browser showed the file instead of saving it, the file could not access the server.
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

    /// An entity tag for everything that a download depends on.
    static func tag(_ session: Session, _ request: HTTPRequest) -> String {
        let query = request.query.flatMap { [$0.name, $0.value] }
        let parts = [Release.name, "\(session.version)", "\(session.next)", session.namedHeader.json.text] + query
        return "\"\(SHA256.hex(parts.debugDescription).prefix(32))\""
    }
}
