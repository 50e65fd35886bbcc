import TapeArchive
import TapeEngine
import TapeFormat
import TapeSockets

extension API {
    /// The most actions that a replay can leave out or edit.
    private static let maxChanges = 10_000

    func addReplay(_ routes: inout Routes) {
        app(&routes, "POST", "/replay") { session, exchange in try replay(in: session, exchange) }
        app(&routes, "DELETE", "/replay") { session, _ in try stopReplay(in: session) }
    }

    /// Replays a range of recorded actions in the running app. Answers once the app has the message.
    private func replay(in session: Session, _ exchange: HTTPExchange) throws -> HTTPResponse? {
        let body = try RequestBody(exchange.body, "session", "from", "to", "leaveOut", "edit", "keep")
        let app = try port(of: session)
        let source = try self.source(try body.string("session", max: Limits.header)) ?? session
        guard let from = try body.count("from"), let through = try body.count("to"), from <= through else {
            throw RequestBody.bad("The body needs “from” and “to”, the first and the last event of the range.")
        }
        guard through < source.next else {
            throw Problem(404, "event-absent", "“to” must be an event of the session, below \(source.next).")
        }
        let plan = ReplayPlan(
            leaveOut: Set(try body.counts("leaveOut", max: Self.maxChanges) ?? []),
            edit: try edits(body["edit"]), keep: try body.bool("keep") ?? false)
        let loop = Loop(
            id: RandomName.make(), states: try states.states(of: tapes[source], after: from - 1), keep: plan.keep)
        guard loop.states?.isEmpty == false else {
            throw Problem(409, "broken", "No state is known before event \(from).")
        }
        let message = ServerLine.loop(loop)
        // In the message, each state is nested three levels deep.
        guard message.bytes.count <= app.maxMessage, loop.states?.values.allSatisfy({ $0.fits(inside: 3) }) ?? true
        else { throw Problem(413, "too-long", "The app accepts messages of at most \(app.maxMessage) bytes.") }
        let replay = Replay(start: loop.id, source: source.id, from: from - 1, through: through, plan: plan)
        act(session, exchange) { _, link in
            guard let app = link.port, core.replays.begin(replay, message, in: app, from: link.committed) else {
                return Problem(409, "replaying", "A replay is running in this app.").response
            }
            events.tell(.changed([session.id]))
            return Answer.json(replay.json, status: 202)
        }
        return nil
    }

    private func stopReplay(in session: Session) throws -> HTTPResponse {
        guard core.replays.stopLive(in: session.id) else {
            throw Problem(404, "replay-absent", "No replay that can be stopped is running in this app.")
        }
        return Answer.empty()
    }

    /// The session that a request's body names.
    func source(_ id: String?) throws -> Session? {
        guard let id else { return nil }
        guard let session = try archive.session(id) else {
            throw Problem(404, "session-absent", "“session” must be the id of a session.")
        }
        return session
    }

    /// `{"12":{"type":…}}`
    private func edits(_ json: JSON?) throws(Problem) -> [Int: JSON] {
        guard let json else { return [:] }
        guard let members = json.object, members.count <= Self.maxChanges else {
            throw RequestBody.bad("“edit” must be an object of at most \(Self.maxChanges) actions by event number.")
        }
        var edits: [Int: JSON] = [:]
        for member in members {
            guard let seq = Int(member.key), member.value["type"]?.string != nil else {
                throw RequestBody.bad("“edit” must have event numbers as keys, and actions with a string “type”.")
            }
            edits[seq] = member.value
        }
        return edits
    }
}
