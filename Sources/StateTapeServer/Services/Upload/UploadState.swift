import Logging
import TapeArchive
import TapeEngine
import TapeFormat
import TapeSockets

/// The state of one upload.
struct UploadState {
    private static let headerStart = Array("{\"tape\"".utf8)

    private let uploads: Uploads
    private let request: HTTPRequest
    private let client: Requester
    private let room: UploadMemory.Share
    private var parser: TapeParser
    private var isBegun = false
    private var isWhole = false
    private var isOver = false
    /// The first bytes of the body.
    private var start: [UInt8] = []
    /// Set once the tape's header is read.
    private var tape: TapeUpload?

    init(_ uploads: Uploads, _ request: HTTPRequest, of client: Requester) {
        self.uploads = uploads
        self.client = client
        self.request = request
        room = uploads.room.share()
        parser = TapeParser(
            isPacked: request.headers["content-encoding"]?.lowercased() == "gzip",
            isRest: request.query.contains { $0.name == "session" }, maxLine: uploads.limits.line,
            maxBytes: uploads.limits.upload
        ) { SHA256.sessionID("redux", of: $0) }
    }

    // MARK: Body

    mutating func take(_ piece: [UInt8]) throws {
        guard !isOver else { return }
        try begin()
        if start.count < Self.headerStart.count { start += piece.prefix(Self.headerStart.count - start.count) }
        try parse { parser, take in try parser.take(piece, take) }
        try room.hold(parser.held)
    }

    /// Lets the parser pass on its complete parts.
    private mutating func parse<Result>(
        _ body: (inout TapeParser, (TapeParser.Part) throws -> Void) throws -> Result
    ) throws -> Result {
        let (uploads, request, client) = (uploads, request, client)
        // Moved out, so that queued data is appended in place.
        var tape = self.tape
        self.tape = nil
        defer { self.tape = tape }
        return try body(&parser) { part in
            switch part {
            case .header(let header):
                tape = try TapeUpload(uploads, header, labels: Self.labels(request), by: client)
            case .line(let line): try tape?.take(line)
            }
        }
    }

    private mutating func begin() throws {
        guard !isBegun else { return }
        isBegun = true
        let query = try Self.query(request)
        guard let id = query["session"] else {
            if query["from"] != nil { throw Problem(400, "bad-query", "“from” is only valid with “session”.") }
            return
        }
        guard let from = try query.count("from") else {
            throw Problem(400, "bad-query", "With “session”, “from” must be the seq of the first event.")
        }
        tape = try TapeUpload(uploads, resuming: id, from: from, labels: try Self.labels(request), by: client)
    }

    private static func labels(_ request: HTTPRequest) throws -> [String: String] {
        let labels = Dictionary(try query(request).labels().map { ($0.key, $0.value) }) { $1 }
        try RequestBody.check(labels)
        return labels
    }

    private static func query(_ request: HTTPRequest) throws(Problem) -> Query {
        try Query(request, "session", "from", lists: ["label"])
    }

    // MARK: End

    /// Handles the end of the body.
    mutating func end() throws -> HTTPResponse? {
        guard !isOver else { return nil }
        try begin()
        isWhole = true
        let isCut =
            parser.isDocument
            ? try uploads.room.alone { try parse { try $0.end($1) } } : try parse { try $0.end($1) }
        guard var tape else { return nil }
        isOver = true
        // If this fails, what it has waited for must not be waited for again: that would take forever.
        defer { self.tape = tape }
        return response(try tape.finish(), tape, stopped: isCut)
    }

    private func response(_ session: Session, _ tape: TapeUpload, stopped: Bool) -> HTTPResponse {
        guard case .object(var answer) = session.summary(live: nil) else { return Answer.empty() }
        answer["added"] = .number(.init(tape.added))
        answer["stopped"] =
            stopped ? ["line": .number(.init(parser.line)), "byte": .number(.init(parser.whole))] : nil
        guard tape.session.hidden else { return Answer.json(.object(answer)) }
        return Answer.json(
            .object(answer), status: 201, headers: [("location", "/api/v1/sessions/\(session.id)")])
    }

    /// The peer disconnected: keeps all complete lines.
    mutating func peerDisconnected() {
        _ = fail(Problem.stopping)
    }

    /// Ends the upload, and keeps the valid lines.
    mutating func fail(_ error: any Error) -> Problem {
        var problem: Problem
        switch error {
        case let known as Problem: problem = known
        case is DeletedSession: problem = Problem.taken
        case let tooLarge as TooLarge: problem = Problem(413, "too-long", tooLarge.description)
        // A file without a header was read to its end, as JSON of another kind.
        case is FormatError where isWhole && tape == nil:
            let isCut = start == Self.headerStart
            problem = Problem(
                422, "bad-file",
                isCut ? "The tape ends in its first line." : TapeParser.Foreign.unknown.description)
        case is FormatError, is TapeParser.SecondTape:
            problem = Problem(
                422, "bad-line", "Line \(parser.line): \(error)", [("line", .number(.init(parser.line)))])
        case let foreign as TapeParser.Foreign: problem = Problem(422, "bad-file", foreign.description)
        case Gunzip.Failure.tooBig:
            problem = Problem(
                413, "too-long", "An upload can have at most \(uploads.limits.upload) bytes, unpacked.")
        case Gunzip.Failure.broken(let reason):
            problem = Problem(422, "bad-gzip", "The packed file is damaged: \(reason)")
        case let error where Unwritable.outage(error) != nil:
            problem = .unwritable(Unwritable.outage(error) ?? "")
        default:
            uploads.logger.error("An upload failed: \(error)")
            problem = Problem(500, "internal", "The server could not store the upload; see its log.")
        }
        if var tape {
            // A peer may disconnect before the answer is sent: what was waited for once is not waited for again.
            self.tape = nil
            do {
                try tape.flush()
            } catch {
                uploads.logger.warning("The end of an upload was not stored: \(error)")
            }
            problem.members += [("session", .string(tape.session.id)), ("next", .number(.init(tape.kept)))]
        }
        isOver = true
        return problem
    }
}
