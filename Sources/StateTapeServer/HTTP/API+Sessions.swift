import Foundation
import Logging
import TapeArchive
import TapeFormat
import TapeSockets

extension API {
    /// The shortest prefix that may replace a session's id.
    private static let minPrefix = 10
    private static let maxSessions = 1_000
    /// Bytes of the longest session title.
    private static let maxTitle = 1_000
    /// Bytes of the longest text to search for.
    private static let maxText = 1_000

    func addSessions(_ routes: inout Routes) {
        routes.on("GET", "/api/v1/sessions") { exchange, _ in answer(exchange) { try sessions(exchange.request) } }
        session(&routes, "GET", "") { session, _, _ in Answer.json(summary(session)) }
        session(&routes, "PATCH", "") { session, exchange, _ in try edit(session, exchange.body) }
        session(&routes, "DELETE", "") { session, exchange, _ in try delete(session, exchange) }
    }

    func sessions(_ request: HTTPRequest) throws -> HTTPResponse {
        let query = try Query(request, "app", "q", "live", "limit", "before", lists: ["label"])
        var wanted = SessionQuery()
        wanted.app = query["app"]
        wanted.labels = try query.labels()
        wanted.text = query["q"].flatMap { $0.isEmpty ? nil : $0 }
        guard wanted.text?.utf8.count ?? 0 <= Self.maxText else {
            throw Problem(400, "bad-query", "“q” can have at most \(Self.maxText) bytes.")
        }
        let live = apps.live
        if let wantsLive = try query.bool("live") {
            if wantsLive { wanted.only = live } else { wanted.except = live }
        }
        let limit = try query.count("limit", 1...Self.maxSessions) ?? wanted.limit
        wanted.limit = limit
        wanted.after = try query["before"].map { text in
            guard let place = SessionCursor(text) else {
                throw Problem(400, "bad-query", "“before” must be the “next” of the previous page.")
            }
            return place
        }
        let found = try archive.sessions(wanted)
        var list = JSON.Object([("sessions", .array(found.sessions.map { summary($0) }))])
        list["next"] = found.next.map { .string($0.description) }
        return Answer.json(.object(list))
    }

    /// Sets `title`, `labels` and `kept`.
    func edit(_ session: Session, _ body: [UInt8]) throws -> HTTPResponse {
        let body = try RequestBody(body, "title", "labels", "kept")
        let (title, kept) = (try body.string("title", max: Self.maxTitle), try body.bool("kept"))
        let labels = try body.labels("labels")
        if let labels {
            var header = session.header
            header.labels = labels
            try RequestBody.check(header)
        }
        try archive.edit(session.row, title: title, labels: labels, kept: kept)
        events.tell(.changed([session.id]))
        guard let edited = try archive.session(session.id) else { throw Self.absent(session.id) }
        return Answer.json(summary(edited))
    }

    /// Closes the app's connection and deletes the session between two commits. The space is freed in slices.
    func delete(_ session: Session, _ exchange: HTTPExchange) throws -> HTTPResponse? {
        core.committer.run {
            do {
                try archive.delete(session)
                // Only now: an app that was told never comes back.
                core.post { $0.apps.deleted(session.id) }
                exchange.respond(Answer.empty())
                events.tell(.deleted([session.id]))
                core.committer.sweep()
            } catch {
                if let outage = Unwritable.outage(error) {
                    return exchange.respond(Problem.unwritable(outage).response)
                }
                logger.error("Session \(session.id) can't be deleted: \(error)")
                exchange.respond(Problem(500, "internal", "The session can't be deleted; see the log.").response)
            }
        }
        return nil
    }

    /// Redirects a GET with a unique prefix of a session's id. Nil if `name` is the whole id of a session that is new.
    func redirect(_ name: String, _ request: HTTPRequest) throws -> HTTPResponse? {
        guard ["GET", "HEAD"].contains(request.method) else { throw Self.absent(name) }
        let id = try fullID(name)
        if id == name { return nil }
        var location = URLComponents()
        let rest = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(5)
        location.path = (["/api/v1/sessions", id] + rest.map(String.init)).joined(separator: "/")
        if !request.query.isEmpty {
            location.queryItems = request.query.map { URLQueryItem(name: $0.name, value: $0.value) }
        }
        return HTTPResponse(status: 307, headers: [("location", location.string ?? "/")] + Answer.headers)
    }

    /// The id that starts with these ten or more characters, if it is unique.
    func fullID(_ name: String) throws -> String {
        guard Header.isSession(name), name.utf8.count >= Self.minPrefix else { throw Self.absent(name) }
        let ids = try archive.ids(beginningWith: name)
        guard let id = ids.first else { throw Self.absent(name) }
        guard ids.count == 1 else {
            throw Problem(409, "ambiguous", "Several session ids start with “\(name)”; use more characters.")
        }
        return id
    }

    static func absent(_ name: String) -> Problem {
        Problem(404, "session-absent", "Session “\(name)” doesn't exist.")
    }
}
