import TapeArchive
import TapeEngine
import TapeFormat
import TapeSockets

extension API {
    /// Bytes of the longest name of an app, device or session.
    private static let maxName = 1_000

    func addStartStates(_ routes: inout Routes) {
        routes.on("GET", "/api/v1/start-states") { exchange, _ in
            answer(exchange) { try startStates(exchange.request) }
        }
        routes.on("PUT", "/api/v1/start-states") { exchange, _ in
            answer(exchange) { try putStartState(exchange) }
        }
        routes.on("DELETE", "/api/v1/start-states") { exchange, _ in
            answer(exchange) { try deleteLaunchState(exchange.request) }
        }
    }

    func startStates(_ request: HTTPRequest) throws -> HTTPResponse {
        try Query.refuse(request)
        return Answer.json(["startStates": .array(try archive.launchStates().map(\.json))])
    }

    func putStartState(_ exchange: HTTPExchange) throws -> HTTPResponse {
        try Query.refuse(exchange.request)
        let body = try RequestBody(exchange.body, "app", "device", "labels", "session", "seq", "mode", "once")
        let mode = try body.string("mode", max: Self.maxName) ?? LaunchState.Mode.state.rawValue
        guard let mode = LaunchState.Mode(rawValue: mode) else {
            throw Problem(422, "unsupported", "“mode” must be “state”, “replay” or “latest”.")
        }
        guard let app = try body.string("app", max: Self.maxName), !app.isEmpty else {
            throw RequestBody.bad("“app” must be an app's id.")
        }
        let device = try body.string("device", max: Self.maxName)
        var start = LaunchState(
            id: RandomName.make(), app: app, device: device, labels: try body.labels("labels") ?? [:], mode: mode,
            session: nil, seq: nil, once: try body.bool("once") ?? false)
        let (session, seq) = (try body.string("session", max: Self.maxName), try body.count("seq"))
        if mode != .latest {
            try place(&start, session, seq)
        } else if session != nil || seq != nil {
            throw RequestBody.bad("“session” and “seq” are not valid with mode “latest”.")
        }
        try archive.put(start)
        return Answer.json(start.json)
    }

    func deleteLaunchState(_ request: HTTPRequest) throws -> HTTPResponse {
        guard let id = try Query(request, "id")["id"] else { throw Problem(400, "bad-query", "“id” is missing.") }
        guard try archive.deleteLaunchState(id) else {
            throw Problem(404, "start-state-absent", "This launch state doesn't exist.")
        }
        return Answer.empty()
    }

    /// Sets the session and event to start at. At least one store must have a state after that event.
    ///
    /// - Parameter seq: The event; nil for the last one that has a state.
    private func place(_ start: inout LaunchState, _ id: String?, _ seq: Int?) throws {
        guard let id else { throw RequestBody.bad("The body needs “session”.") }
        guard let session = try archive.session(id) else {
            throw Problem(404, "session-absent", "“session” must be the id of a session.")
        }
        if let seq, seq >= session.next {
            throw Problem(
                404, "event-absent",
                "The session has no event \(seq): "
                    + (session.next > 0 ? "its last is event \(session.next - 1)." : "it has no events."))
        }
        let last = try states.lastSeqWithState(of: tapes[session], upTo: seq ?? session.next - 1)
        if let seq, seq != last {
            let other = last.map { "event \($0) has one" } ?? "no event before it has one"
            throw Problem(409, "broken", "No state is known after event \(seq): \(other).")
        }
        guard let last else { throw Problem(409, "broken", "No event of this session has a known state.") }
        start.session = id
        start.seq = last
    }
}
