import TapeFormat

/// A push that the app has not come to yet.
struct WaitingPush {
    let push: Push
    /// When it is too late, on the session's clock; a start is never.
    var deadline: Duration?
}

extension StoreTape {
    func play(_ waiting: WaitingPush, in session: Session, done: @escaping @Sendable () -> Void) {
        let id = waiting.push.id
        do throws(Pushed.Failure) {
            let body =
                switch waiting.push.content {
                case .state(let tape): try playing(tape, id)
                case .action(let action): try dispatching(action, id)
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
            session.fail(id, error)
            done()
        }
    }

    /// What plays a state, to be run where the store lives.
    private func playing(
        _ tape: JSON, _ id: String
    ) throws(Pushed.Failure) -> (Seat<State, Action>) -> Void {
        let outcome = try states.read(tape, try? states.tree(of: initial))
        let answer = PushAnswer(id: id, filled: outcome.filled, ignored: outcome.ignored)
        return { [self] seat in
            guard let play = seat.play else {
                return refuse(id, "the app did not say how a state is played into “\(name)”")
            }
            // Before the store tells anybody: what the app does because of the state comes after it.
            replace(outcome.value, cause: ["push": .string(id)], answer: answer)
            play(outcome.value)
        }
    }

    /// What dispatches an action, to be run where the store lives.
    private func dispatching(
        _ action: JSON, _ id: String
    ) throws(Pushed.Failure) -> (Seat<State, Action>) -> Void {
        let maker = try actions.read(action)
        return { [self] seat in
            guard let dispatch = seat.dispatch else {
                return refuse(id, "the app did not say how to dispatch into “\(name)”")
            }
            guard let action = maker.make() else {
                return refuse(id, "what was pushed is not an action of “\(name)”")
            }
            let expected = Carried(Expected(record: maker.record, answer: PushAnswer(id: id, ignored: maker.ignored)))
            session.submit(Step { [self] _ in self.expected.append(expected.value) })
            dispatch(action)
            // A store that reduces elsewhere may take a moment.
            session.submit(
                Step { session in
                    session.after(.seconds(2)) { [weak self] session in self?.giveUp(on: id, in: session) }
                })
        }
    }

    private func refuse(_ id: String, _ message: String) {
        session.submit(Step { $0.fail(id, Pushed.Failure(code: "unsupported", message: message)) })
    }

    /// Answers for an action that did not come through the store.
    private func giveUp(on id: String, in session: Session) {
        guard let index = expected.firstIndex(where: { $0.answer.id == id }) else { return }
        expected.remove(at: index)
        let message = "the action was dispatched, but no reduction of it was recorded"
        session.fail(id, Pushed.Failure(code: "unsupported", message: message))
    }
}

extension Pushed.Failure {
    static let expired = Pushed.Failure(code: "expired", message: "the app did not come to it in time")
}
