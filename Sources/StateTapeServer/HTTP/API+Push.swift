import TapeArchive
import TapeEngine
import TapeFormat
import TapeSockets

extension API {
    /// Bytes of the longest store name.
    private static let maxStore = 1_000

    /// Applies a state or the state after an event, or dispatches an action. Answers after the app has answered.
    func push(_ session: Session, _ exchange: HTTPExchange) throws -> HTTPResponse? {
        let body = try RequestBody(exchange.body, "store", "state", "action", "seq", "exact")
        let store = try body.string("store", max: Self.maxStore) ?? "main"
        let app = try port(of: session)
        let isExact = try body.bool("exact") ?? false
        let content = try content(body, store, session)
        let push: PreparedPush
        do throws(Pushes.Answer) {
            push = try PreparedPush(
                content, store: store, isExact: isExact, timeout: pushTime, maxMessage: app.maxMessage)
        } catch {
            return Self.response(error)
        }
        let isAction = if case .action = content { true } else { false }
        act(session, exchange) { core, link in
            core.pushes.play(push, into: link) { pushed in
                guard isAction, case .played(let seq, _) = pushed else {
                    return exchange.respond(Self.response(pushed))
                }
                answer(exchange) {
                    // The reducer may have thrown: then the action was dispatched, and its event says so. If that can't be
                    // read, the action was dispatched all the same.
                    let recorded = try? archive.session(session.id).flatMap { try tapes[$0].line(at: seq) }
                    return Self.response(pushed, threw: recorded?["error"])
                }
            }
            return nil
        }
        return nil
    }

    private func content(_ body: RequestBody, _ store: String, _ session: Session) throws -> Push.Content {
        switch (body["state"], body["action"], body["seq"]) {
        case (let state?, nil, nil): return .state(state)
        case (nil, let action?, nil):
            guard action["type"]?.string != nil else {
                throw RequestBody.bad("“action” must be an object with a string “type”.")
            }
            return .action(action)
        case (nil, nil, _?):
            guard let seq = try body.count("seq"), seq < session.next else {
                throw Problem(
                    404, "event-absent", "This event doesn't exist; event numbers are below \(session.next).")
            }
            return .state(try state(session, store: store, after: seq).json())
        default: throw RequestBody.bad("The body needs exactly one of “state”, “action” and “seq”.")
        }
    }

    /// - Parameter threw: The text of the error that the action's reducer threw.
    static func response(_ answer: Pushes.Answer, threw: JSON? = nil) -> HTTPResponse {
        switch answer {
        case .played(let seq, let adjustments):
            let error = threw.map { [("error", $0)] } ?? []
            return Answer.json(.object(.init([("seq", .number(.init(seq)))] + adjustments.members + error)))
        case .failed(let failure):
            let path = failure.path.map { [("path", JSON.string($0))] } ?? []
            return Problem(422, failure.code.rawValue, failure.message, [("message", .string(failure.message))] + path)
                .response
        case .noAnswer:
            let text =
                "The app did not answer in time: its main actor may be busy, for example in `readLine`. Read input outside of"
                + " the main actor: see Troubleshooting.md in StateTape.docc."
            return Problem(504, "no-answer", text).response
        case .connectionLost:
            let text =
                "The connection to the app was lost before its answer was stored; whether the app has applied it is unknown."
            return Problem(502, "connection-lost", text).response
        case .tooLong(let max):
            return Problem(413, "too-long", "The app accepts messages of at most \(max) bytes.").response
        }
    }

    static var notConnected: Problem {
        Problem(409, "not-connected", "The app of this session is not connected.")
    }
}
