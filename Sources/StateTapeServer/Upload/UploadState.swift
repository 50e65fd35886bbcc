#if Server
    import Logging
    import TapeEngine
    import TapeFormat
    import TapeSockets

    /// What an upload has brought so far: finds out what it is, and leads it to where it belongs.
    struct UploadState {
        private enum Phase {
            /// Before the first bytes, which tell whether they are packed.
            case start([UInt8])
            /// A first line that has no end yet.
            case deciding([UInt8])
            /// A file that is read when it is whole.
            case document([UInt8])
            case lines(TapeUpload)
            case over
        }

        /// Bytes of the longest file that isn't a tape: it is kept in memory until its end.
        private static let maxDocument = 64 << 20
        /// Values in it, about: each takes many times the two bytes that it may be written in.
        private static let maxValues = 8_000_000
        /// Between two lines that say something.
        private static let maxBlank = 1_000

        private let uploads: Uploads
        private let request: HTTPRequest
        private var phase = Phase.start([])
        private var gunzip: Gunzip?
        private var cutter = LineCutter()
        private let room: UploadRoom.Share
        private var blank = 0
        /// The line that is being read, from 1.
        private var line = 1
        /// Bytes up to the end of the last whole line, unpacked.
        private var whole = 0

        init(_ uploads: Uploads, _ request: HTTPRequest) {
            self.uploads = uploads
            self.request = request
            room = uploads.room.share()
        }

        // MARK: Body

        mutating func take(_ piece: [UInt8]) throws {
            switch phase {
            case .over: return
            case .start(let before):
                let start = before + piece
                let isMarked = request.headers["content-encoding"]?.lowercased() == "gzip"
                guard isMarked || start.count >= Gunzip.magic.count else {
                    phase = .start(start)
                    return
                }
                if isMarked || start.starts(with: Gunzip.magic) { gunzip = Gunzip(limit: uploads.limits.upload) }
                try begin()
                try unpack(start)
            case .deciding, .document, .lines: try unpack(piece)
            }
        }

        private mutating func begin() throws {
            phase = .deciding([])
            let query = try Self.query(request)
            guard let id = query["session"] else {
                if query["from"] != nil { throw Problem(400, "bad-query", "“from” goes with “session”.") }
                return
            }
            guard let from = try query.count("from") else {
                throw Problem(400, "bad-query", "“session” needs “from”: the seq of the body's first event.")
            }
            phase = .lines(try TapeUpload(uploads, resuming: id, from: from, labels: try labels()))
        }

        private mutating func unpack(_ piece: [UInt8]) throws {
            guard let gunzip else { return try takeUnpacked(piece) }
            try gunzip.unpack(piece) { try takeUnpacked($0) }
        }

        private mutating func takeUnpacked(_ piece: [UInt8]) throws {
            switch phase {
            case .start, .over: break
            case .deciding(var text):
                phase = .over
                let end = LineCutter.newline(piece, from: 0).map { text.count + $0 }
                text += piece
                guard text.count <= Self.maxDocument else { throw Self.tooLong }
                try room.hold(text.count)
                guard let end else {
                    phase = .deciding(text)
                    return
                }
                guard let header = try header(Array(text[..<end])) else {
                    phase = .document(text)
                    return
                }
                try begin(header)
                try room.hold(0)
                whole = end + 1
                line = 2
                try cut(Array(text[(end + 1)...]))
            case .document(var text):
                phase = .over
                text += piece
                guard text.count <= Self.maxDocument else { throw Self.tooLong }
                try room.hold(text.count)
                phase = .document(text)
            case .lines: try cut(piece)
            }
        }

        private mutating func cut(_ piece: [UInt8]) throws {
            guard case .lines(var tape) = phase else { return }
            let lineLimit = uploads.limits.line
            // Taken out, so that its slice is added to in place.
            phase = .over
            defer { phase = .lines(tape) }
            try cutter.add(piece) { bytes in
                guard bytes.count <= lineLimit else { throw FormatError("a line of more than \(lineLimit) bytes") }
                blank = bytes.isEmpty ? blank + 1 : 0
                guard blank <= Self.maxBlank else {
                    throw FormatError("more than \(Self.maxBlank) blank lines in a row")
                }
                if !bytes.isEmpty { try tape.take(Self.event(bytes)) }
                whole += bytes.count + 1
                line += 1
            }
            guard cutter.rest.count <= lineLimit else {
                throw FormatError("a line of more than \(lineLimit) bytes")
            }
            try room.hold(cutter.rest.count)
        }

        private static func event(_ bytes: [UInt8]) throws(FormatError) -> EventLine {
            do throws(FormatError) {
                return try EventLine(parsing: bytes)
            } catch  where bytes.starts(with: Array("{\"tape\"".utf8)) {
                throw FormatError("another tape begins there: send each one as a file of its own")
            }
        }

        /// The header of a tape; nil if the line is no such thing.
        private func header(_ text: [UInt8]) throws -> Header? {
            // What makes so many values is no header, and would fill the memory before that is seen.
            guard Self.values(text) <= Self.maxValues else {
                guard text.starts(with: Array("{\"tape\"".utf8)) else { return nil }
                throw Problem(413, "too-long", "A tape's header may have \(Self.maxValues) values, with its states.")
            }
            do {
                let json = try JSON(parsing: text)
                guard json["tape"] != nil else { return nil }
                return try header(json, text.count)
            } catch  where !text.starts(with: Array("{\"tape\"".utf8)) {
                return nil
            }
        }

        private func header(_ json: JSON, _ size: Int) throws -> Header {
            // The states of a tape that is cut out of a longer one are as long as they are.
            let states = json["states"]?.bytes.count ?? 0
            guard size - states <= Limits.header else {
                throw FormatError("the header is longer than \(Limits.header) bytes, without its states")
            }
            return try Header(json)
        }

        private mutating func begin(_ header: Header) throws {
            phase = .lines(try TapeUpload(uploads, header, labels: try labels()))
        }

        private func labels() throws -> [String: String] {
            let labels = Dictionary(try Self.query(request).labels().map { ($0.key, $0.value) }) { $1 }
            try RequestBody.check(labels)
            return labels
        }

        private static func query(_ request: HTTPRequest) throws(Problem) -> Query {
            try Query(request, "session", "from", lists: ["label"])
        }

        /// About how many values there are in JSON: one after each of these characters.
        private static func values(_ text: [UInt8]) -> Int {
            text.withUnsafeBufferPointer { text in
                var count = 1
                for byte in text where byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") { count += 1 }
                return count
            }
        }

        private static var tooLong: Problem {
            Problem(413, "too-long", "A file that isn't a tape may have \(maxDocument) bytes.")
        }

        // MARK: End

        /// The body is complete.
        mutating func end() throws -> HTTPResponse? {
            if case .start(let text) = phase {
                // Too short to be packed.
                try begin()
                try takeUnpacked(text)
            }
            let isCut = gunzip.map { !$0.isWhole } ?? false
            switch phase {
            case .start, .over: return nil
            case .deciding(let text), .document(let text):
                guard !isCut else { throw Problem(422, "bad-file", "The packed file ends too early.") }
                line = 1
                try uploads.room.alone { try read(text) }
            case .lines: break
            }
            // A last line without a newline may be whole, or the beginning of one.
            if !isCut, !cutter.rest.isEmpty, (try? EventLine(parsing: cutter.rest)) != nil {
                try cut([UInt8(ascii: "\n")])
            }
            guard case .lines(var tape) = phase else { return nil }
            phase = .over
            return response(try tape.finish(), tape, stopped: isCut || !cutter.rest.isEmpty)
        }

        /// Reads a file that isn't cut into lines.
        private mutating func read(_ text: [UInt8]) throws {
            guard Self.values(text) <= Self.maxValues else {
                throw Problem(413, "too-long", "A file that isn't a tape may have \(Self.maxValues) values.")
            }
            let json = try JSON(parsing: text)
            if json["tape"] != nil { return try begin(header(json, text.count)) }
            guard let file = try ReduxFile(json, name: SHA256.sessionID("redux", of: text)) else {
                throw Problem(422, "bad-file", "The file is neither a tape nor an export of the Redux DevTools.")
            }
            var tape = try TapeUpload(uploads, file.header, labels: try labels())
            for line in file.lines { try tape.take(line) }
            phase = .lines(tape)
        }

        private func response(_ session: Session, _ tape: TapeUpload, stopped: Bool) -> HTTPResponse {
            guard case .object(var answer) = session.summary(live: nil) else { return Answer.empty() }
            answer["added"] = .number(.init(tape.added))
            answer["stopped"] = stopped ? ["line": .number(.init(line)), "byte": .number(.init(whole))] : nil
            guard tape.session.hidden else { return Answer.json(.object(answer)) }
            return Answer.json(
                .object(answer), status: 201, headers: [("location", "/api/v1/sessions/\(session.id)")])
        }

        /// The peer has gone: keeps the whole lines that came.
        mutating func broke() {
            _ = fail(Problem.stopping)
        }

        /// Ends the upload, and keeps what was good.
        mutating func fail(_ error: any Error) -> Problem {
            var problem: Problem
            switch error {
            case let known as Problem: problem = known
            case let tooLarge as TooLarge: problem = Problem(413, "too-long", tooLarge.description)
            case let bad as FormatError:
                problem = Problem(422, "bad-line", "Line \(line): \(bad)", [("line", .number(.init(line)))])
            case Gunzip.Failure.tooBig:
                problem = Problem(413, "too-long", "An upload may have \(uploads.limits.upload) bytes, unpacked.")
            case Gunzip.Failure.broken(let reason):
                problem = Problem(422, "bad-gzip", "The packed file is damaged: \(reason)")
            default:
                uploads.logger.error("An upload failed: \(error)")
                problem = Problem(500, "internal", "The server could not take the upload; its log says why.")
            }
            if case .lines(var tape) = phase {
                do {
                    try tape.flush()
                } catch {
                    uploads.logger.warning("The end of an upload was not kept: \(error)")
                }
                problem.members += [("session", .string(tape.session.id)), ("next", .number(.init(tape.kept)))]
            }
            phase = .over
            return problem
        }
    }
#endif
