import TapeArchive
import TapeEngine
import TapeFormat
import TapeSockets

extension API {
    private static let maxEvents = 10_000
    /// A list ends after the line that reaches this many bytes.
    private static let maxBody = 8 << 20
    /// The text of a state of this size, in bytes, waits in a file from the beginning.
    private static let largeState = 8 << 20

    func addEvents(_ routes: inout Routes) {
        session(&routes, "GET", "/events", hasQuery: true) { session, exchange, _ in try events(session, exchange) }
        session(&routes, "GET", "/events/{seq}", hasQuery: true) { session, exchange, names in
            try event(session, seq(names, session), exchange.request)
        }
        session(&routes, "GET", "/states/{seq}", hasQuery: true) { session, exchange, names in
            try state(session, seq(names, session), exchange)
        }
    }

    /// What a list has of each event.
    private enum Part {
        case line, head, preview, types
    }

    /// Event lines, heads or previews from a seq on that pass the query's filter.
    func events(_ session: Session, _ exchange: HTTPExchange) throws -> HTTPResponse? {
        let request = exchange.request
        let query = try Query(request, "from", "limit", "fields", "v", "bookmarked", lists: EventFilter.names)
        _ = try query.count("v")
        let limit = try query.count("limit", 0...Self.maxEvents) ?? 1_000
        let part: Part =
            switch try query.choice("fields", "head", "preview", "types") {
            case "head": .head
            case "preview": .preview
            case "types": .types
            default: .line
            }
        let (filter, from) = (try filter(query, session), try query.count("from") ?? 0)
        let scan = self.scan(session, from: from, filter, for: exchange)
        guard filter.isEmpty else {
            try search(exchange) { try list(scan, limit, part, session, request, isRange: false) }
            return nil
        }
        return try list(scan, limit, part, session, request, isRange: true)
    }

    /// - Parameter isRange: Whether the list has all events of a range, without a filter.
    private func list(
        _ scan: EventScan, _ limit: Int, _ part: Part, _ session: Session, _ request: HTTPRequest,
        isRange: Bool
    ) throws -> HTTPResponse {
        var scan = scan
        var body: [UInt8] = []
        var matches = 0
        if limit > 0 {
            try scan.run(until: .now + searches.scan) { head, scan in
                switch part {
                case .line: body += try scan.line(head)
                case .head: head.write(to: &body)
                case .preview:
                    let line = try scan.line(head)
                    if !line.isEmpty { body += try Preview(EventLine(parsing: Array(line))).json.bytes }
                case .types: body += try Self.types(head, head.kind == .`init` ? scan.line(head) : []).bytes
                }
                body.append(UInt8(ascii: "\n"))
                matches += 1
                return matches < limit && body.count < Self.maxBody
            }
        }
        let answer = HTTPResponse(
            status: 200,
            headers: [
                ("content-type", "application/x-ndjson"), ("StateTape-Next", String(scan.next)),
                ("StateTape-Committed", String(session.next)),
            ], body: body)
        // A list that ends with the tape changes when the tape grows.
        let hasEnd = matches > 0 && (matches == limit || scan.next < session.next)
        let isLasting = isRange && hasEnd && !scan.hasDamage
        return lasting(answer, isLasting ? scan.next - 1 : .max, session, request)
    }

    /// What the line of a store's first state says about its types.
    private static func types(_ head: EventHead, _ line: ArraySlice<UInt8>) throws -> JSON {
        var members = JSON.Object([
            ("seq", .number(.init(head.seq))), ("event", .string(head.kind.name)), ("store", .string(head.store)),
        ])
        if !line.isEmpty {
            let line = try EventLine(parsing: Array(line))
            for name in ["types", "swift"] { members[name] = line[name] }
        }
        return .object(members)
    }

    func event(_ session: Session, _ seq: Int, _ request: HTTPRequest) throws -> HTTPResponse {
        _ = try Query(request, "v").count("v")
        guard let line = try tapes[session].line(at: seq) else {
            throw Problem(404, "event-absent", "This event doesn't exist.")
        }
        // Damaged events may be repaired, so they must not be cached.
        let isLasting = line.kind != .gap || line["reason"]?.string != EventLine.damaged
        return lasting(Self.json(line.bytes), isLasting ? line.seq : .max, session, request)
    }

    /// The state of a store after an event.
    func state(_ session: Session, _ seq: Int, _ exchange: HTTPExchange) throws -> HTTPResponse? {
        let request = exchange.request
        let query = try Query(request, "store", "v")
        _ = try query.count("v")
        let store = query["store"] ?? "main"
        let client = access.client(request)
        // Each of several would build the same large state.
        let state =
            client.role == .control
            ? try state(session, store: store, after: seq)
            : try building.run(session.row) { try self.state(session, store: store, after: seq) }
        let size = try state.size()
        var answer = Self.json(size < Self.largeState ? state.bytes : [])
        answer.headers.append(("StateTape-Seq", String(seq)))
        answer = lasting(answer, seq, session, request)
        guard size >= Self.largeState else { return answer }
        // Before the file, for which there may be no room.
        core.loop.schedule(after: States.largeStateKept) { [shown, requestWork] in
            requestWork.run(request) {
                shown.forgetLarge()
                FreedMemory.giveBackSoon()
            }
        }
        let file = try pending.file(of: state, size: size, for: client)
        let headers = [("etag", Self.tag(session, request)), ("content-length", "\(file.count)")]
        exchange.stream(status: 200, headers: answer.headers + headers) { try file.next() }
        return nil
    }

    func state(_ session: Session, store: String, after seq: Int) throws -> HeldState {
        func nearest(_ before: Int?, _ after: Int?) -> [(String, JSON)] {
            [("before", before), ("after", after)].compactMap { name, seq in seq.map { (name, .number(.init($0))) }
            }
        }
        let tape = tapes[session]
        switch try shown.state(of: tape, store: store, after: seq) {
        case .state(let state): return state
        case .absent:
            throw Problem(
                404, "store-absent",
                "The tape has no store “\(store)” after event \(seq).\(try tape.storesBesides(store))")
        case .skipped(let before, let after):
            throw Problem(
                409, "state-skipped", "The app did not record the state after event \(seq).",
                nearest(before, after))
        case .broken(let before, let after):
            throw Problem(
                409, "broken",
                "The state after event \(seq) can't be computed: its patch or one before it doesn't apply, or a state before"
                    + " it is missing.",
                nearest(before, after))
        }
    }

    private static func json(_ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: 200, headers: [("content-type", "application/json")], body: body)
    }

    /// Lets clients cache a response forever if it can't change: the URL names the session's version, and the
    /// response depends only on sealed events up to `seq`.
    private func lasting(
        _ response: HTTPResponse, _ seq: Int, _ session: Session, _ request: HTTPRequest
    ) -> HTTPResponse {
        var response = response
        let isLasting = seq < session.sealed && request.query.contains { $0 == ("v", String(session.version)) }
        response.headers += Answer.headers.map { name, value in
            name == "cache-control" && isLasting ? (name, "private, max-age=31536000, immutable") : (name, value)
        }
        return response
    }
}
