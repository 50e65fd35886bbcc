import TapeArchive
import TapeEngine
import TapeFormat
import TapeSockets

extension API {
    /// The answers of the app's stores to one step of time travel.
    private struct Step {
        var waiting: Int
        var adjustments = Adjustments()
        private var hasState = false
        private var refusal: Pushes.Answer?
        /// The recorded app had a store that the running one doesn't have.
        private var missing: Pushes.Answer?

        /// Why the step has failed: each store that the app has must show its state.
        var failure: Pushes.Answer? { refusal ?? (hasState ? nil : missing) }

        init(waiting: Int) {
            self.waiting = waiting
        }

        mutating func take(_ answer: Pushes.Answer) {
            waiting -= 1
            switch answer {
            case .played(_, let more):
                hasState = true
                adjustments.filled += more.filled
                adjustments.ignored += more.ignored
                adjustments.kept += more.kept
                adjustments.lost += more.lost
            case .failed(let failure) where failure.code == .unknownStore: missing = missing ?? answer
            default: refusal = refusal ?? answer
            }
        }
    }

    func addTravel(_ routes: inout Routes) {
        app(&routes, "POST", "/travel") { session, exchange in try travel(session, exchange) }
    }

    /// Shows all stores' states after an event in the app, which queues its own actions and records none of this.
    private func travel(_ session: Session, _ exchange: HTTPExchange) throws -> HTTPResponse? {
        let body = try RequestBody(exchange.body, "session", "seq")
        let app = try port(of: session)
        let source = try source(try body.string("session", max: Limits.header)) ?? session
        guard let seq = try body.count("seq") else { throw RequestBody.bad("The body needs “seq”.") }
        guard seq < source.next else {
            throw Problem(404, "event-absent", "This event doesn't exist; event numbers are below \(source.next).")
        }
        if apps.isReplaying(session.id) { throw Problem(409, "replaying", "A replay is running in this app.") }
        let states = try states.states(of: tapes[source], after: seq)
        guard !states.isEmpty else { throw Problem(409, "broken", "No state is known after event \(seq).") }
        let pushes: [PreparedPush]
        do throws(Pushes.Answer) {
            pushes = try states.sorted { $0.key < $1.key }.map { store, state throws(Pushes.Answer) in
                try PreparedPush(
                    .state(state), store: store, travel: seq, timeout: pushTime, maxMessage: app.maxMessage)
            }
        } catch {
            return Self.response(error)
        }
        act(session, exchange) { core, link in
            link.beginTravel()
            events.tell(.changed([session.id]))
            var step = Step(waiting: pushes.count)
            for push in pushes {
                core.pushes.play(push, into: link) { answer in
                    step.take(answer)
                    guard step.waiting == 0 else { return }
                    if let failure = step.failure {
                        link.endTravel()
                        events.tell(.changed([session.id]))
                        return exchange.respond(Self.response(failure))
                    }
                    exchange.respond(Answer.json(.object(JSON.Object(step.adjustments.members))))
                }
            }
            return nil
        }
        return nil
    }
}
