import TapeArchive
import TapeFormat
import TapeSockets

extension API {
    private static let maxBookmarks = 1_000
    private static let maxText = 2_000
    private static let maxName = 200

    func addBookmarks(_ routes: inout Routes) {
        session(&routes, "GET", "/bookmarks") { session, _, _ in
            Answer.json(["bookmarks": .array(try archive.bookmarks(of: session.row).map(\.json))])
        }
        session(&routes, "POST", "/bookmarks") { session, exchange, _ in try mark(session, exchange.body) }
        session(&routes, "DELETE", "/bookmarks/{n}") { session, _, names in
            try unmark(session, names["n"] ?? "")
        }
        routes.on("PATCH", "/api/v1/devices/{device}") { exchange, names in
            answer(exchange) {
                try Query.refuse(exchange.request)
                return try name(device: names["device"] ?? "", exchange.body)
            }
        }
    }

    /// Takes `{"seq":120,"text":"bug here","author":"…"}`.
    func mark(_ session: Session, _ body: [UInt8]) throws -> HTTPResponse {
        let body = try RequestBody(body, "seq", "text", "author")
        guard let seq = try body.count("seq") else { throw RequestBody.bad("The body needs “seq”.") }
        guard let text = try body.text("text", max: Self.maxText) else {
            throw RequestBody.bad("“text” must be a string that is not empty.")
        }
        let author = try body.text("author", max: Self.maxName)
        guard seq < session.next else {
            throw Problem(
                404, "event-absent", "“seq” must be an event of the session, below \(session.next).")
        }
        let content = Bookmark.Content(seq: seq, text: text, author: author)
        guard let bookmark = try archive.mark(session.row, content, made: WallClock.now, most: Self.maxBookmarks)
        else {
            throw Problem(409, "too-many", "A session can have at most \(Self.maxBookmarks) bookmarks.")
        }
        events.tell(.changed([session.id]))
        return Answer.json(bookmark.json, status: 201)
    }

    func unmark(_ session: Session, _ number: String) throws -> HTTPResponse {
        guard let number = Int(number), try archive.unmark(session.row, number: number) else {
            throw Problem(404, "bookmark-absent", "This bookmark doesn't exist.")
        }
        events.tell(.changed([session.id]))
        return Answer.empty()
    }

    /// Takes `{"nickname":"…"}`; null or an empty text removes the nickname.
    func name(device: String, _ body: [UInt8]) throws -> HTTPResponse {
        let body = try RequestBody(body, "nickname")
        guard body["nickname"] != nil else {
            throw RequestBody.bad("The body needs “nickname”, a string or null.")
        }
        let nickname = try body.text("nickname", max: Self.maxName)
        let sessions = try archive.name(device: device, nickname, most: Self.maxNotified)
        guard !sessions.isEmpty else {
            throw Problem(404, "device-absent", "No session of device “\(device)” exists.")
        }
        events.tell(.changed(Set(sessions)))
        return Answer.json(["device": .string(device), "nickname": nickname.map(JSON.string) ?? .null])
    }

    /// The most sessions of a device that pages get an update for.
    private static let maxNotified = 256
}
