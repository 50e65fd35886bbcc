#if Server
    import TapeFormat
    import TapeSockets

    extension API {
        func addStartStates(_ routes: inout Routes) {
            routes.on("GET", "/api/v1/start-states") { exchange, _ in answer(exchange, startStates) }
            routes.on("PUT", "/api/v1/start-states") { exchange, _ in
                answer(exchange) { try putStartState(exchange.body) }
            }
            routes.on("DELETE", "/api/v1/start-states") { exchange, _ in
                answer(exchange) { try deleteStartState(exchange.request) }
            }
        }

        @Sendable func startStates() throws -> HTTPResponse? {
            Answer.json(["startStates": .array(try archive.startStates().map(\.json))])
        }

        func putStartState(_ body: [UInt8]) throws -> HTTPResponse {
            let body = try json(body)
            let mode = body["mode"]?.string ?? StartState.Mode.state.rawValue
            guard let mode = StartState.Mode(rawValue: mode) else {
                throw Problem(422, "unsupported", "The mode must be “state”, “replay” or “latest”.")
            }
            guard let app = body["app"]?.string, !app.isEmpty else {
                throw Problem(400, "bad-body", "“app” must be an app's id.")
            }
            var start = StartState(
                id: RandomName.make(), app: app, device: body["device"]?.string, labels: [:], mode: mode, session: nil,
                seq: nil, once: body["once"]?.bool ?? false)
            for member in body["labels"]?.object ?? JSON.Object() {
                guard let value = member.value.string else {
                    throw Problem(400, "bad-body", "“labels” must be an object of strings.")
                }
                start.labels[member.key] = value
            }
            if mode != .latest { try place(&start, body) }
            try archive.put(start)
            return Answer.json(start.json)
        }

        func deleteStartState(_ request: HTTPRequest) throws -> HTTPResponse {
            guard let id = Query(request)["id"] else { throw Problem(400, "bad-query", "“id” is needed.") }
            guard try archive.deleteStartState(id) else {
                throw Problem(404, "start-state-absent", "There is no such start state.")
            }
            return Answer.empty()
        }

        /// Where to begin: an event that at least one store has a state after.
        private func place(_ start: inout StartState, _ body: JSON) throws {
            guard let id = body["session"]?.string, let session = try archive.session(id) else {
                throw Problem(404, "session-absent", "“session” must be the id of a session.")
            }
            guard let seq = body["seq"]?.int, 0..<session.next ~= seq else {
                throw Problem(404, "event-absent", "“seq” must be an event of the session, below \(session.next).")
            }
            guard try !states.states(of: session, after: seq).isEmpty else {
                throw Problem(409, "broken", "No state is known after event \(seq).")
            }
            start.session = id
            start.seq = seq
        }
    }
#endif
