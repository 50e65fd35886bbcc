import TapeFormat

/// Something to play that the app has not come to yet.
struct WaitingPush {
    let push: Push
    /// When it is too late, on the session's clock; a start is never.
    var deadline: Duration?
    /// The recorded event whose action is replayed.
    var of: Int?
    /// Whether the app's answer is due when it is played; that to a replay is due after its last action.
    var isAnswered = true

    /// What the event that it causes tells.
    var cause: JSON {
        var cause = JSON.Object([("push", .string(push.id))])
        cause["of"] = of.map { .number(JSON.Number($0)) }
        return .object(cause)
    }
}

extension StoreTape {
    func play(_ waiting: WaitingPush, in session: Session, done: @escaping @Sendable () -> Void) {
        let id = waiting.push.id
        do throws(Pushed.Failure) {
            let body =
                switch waiting.push.content {
                case .state(let tape): try playing(tape, waiting)
                case .action(let action): try dispatching(action, waiting)
                }
            guard let seat else {
                throw Pushed.Failure(code: "unknown-store", message: "the store “\(name)” is gone")
            }
            let hand = Carried((body: body, seat: seat))
            seat.run { [session] in
                if let deadline = waiting.deadline, deadline < session.now {
                    session.submit(Step { $0.fail(id, .expired) })
                } else {
                    hand.value.body(hand.value.seat)
                }
                done()
            }
        } catch {
            session.fail(id, waiting.of.map(error.replaying) ?? error)
            done()
        }
    }

    /// What plays a state, to be run where the store lives.
    private func playing(
        _ tape: JSON, _ waiting: WaitingPush
    ) throws(Pushed.Failure) -> (Seat<State, Action>) -> Void {
        let outcome = try states.read(tape, try? states.tree(of: initial))
        let id = waiting.push.id
        let answer = PushAnswer(id: id, filled: outcome.filled, ignored: outcome.ignored)
        return { [self] seat in
            guard let play = seat.play else {
                return refuse(id, "the app did not say how a state is played into “\(name)”")
            }
            // Before the store tells anybody: what the app does because of the state comes after it.
            replace(outcome.value, cause: waiting.cause, answer: waiting.isAnswered ? answer : nil)
            play(outcome.value)
        }
    }

    /// What dispatches an action, to be run where the store lives.
    private func dispatching(
        _ action: JSON, _ waiting: WaitingPush
    ) throws(Pushed.Failure) -> (Seat<State, Action>) -> Void {
        let maker = try actions.read(action)
        let id = waiting.push.id
        return { [self] seat in
            guard let dispatch = seat.dispatch else {
                return refuse(id, "the app did not say how to dispatch into “\(name)”")
            }
            guard let action = maker.make() else {
                return refuse(id, "what was pushed is not an action of “\(name)”")
            }
            let answer = waiting.isAnswered ? PushAnswer(id: id, ignored: maker.ignored) : nil
            let expected = Carried(Expected(id: id, record: maker.record, cause: waiting.cause, answer: answer))
            gate.withLock { gate in
                gate.arriving += 1
                if waiting.of != nil { gate.held.letPass(maker.record) }
            }
            session.submit(Step { [self] _ in self.expected.append(expected.value) })
            dispatch(action)
            // A store that reduces elsewhere may take a moment.
            session.submit(
                Step { session in
                    session.after(.seconds(2)) { [weak self] session in
                        self?.giveUp(on: expected.value, in: session)
                    }
                })
        }
    }

    private func refuse(_ id: String, _ message: String) {
        session.submit(Step { $0.fail(id, Pushed.Failure(code: "unsupported", message: message)) })
    }

    /// Answers for an action that did not come through the store.
    private func giveUp(on lost: Expected, in session: Session) {
        guard let index = expected.firstIndex(where: { $0.cause == lost.cause }) else { return }
        _ = takeExpected(at: index)
        let message = "the action was dispatched, but no reduction of it was recorded"
        session.fail(lost.id, Pushed.Failure(code: "unsupported", message: message))
    }
}

extension Pushed.Failure {
    /// Of a replay's action, with the event that it was recorded in.
    fileprivate func replaying(_ of: Int) -> Pushed.Failure {
        Pushed.Failure(code: code, message: "the action of event \(of): \(message)", path: path)
    }

    static let locked = Pushed.Failure(code: "locked", message: "the app is locked: it plays states, and no actions")
    static let expired = Pushed.Failure(code: "expired", message: "the app did not come to it in time")
}
