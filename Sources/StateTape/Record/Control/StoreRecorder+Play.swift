import Dispatch
import DispatchContext
import StateCapture
import TapeFormat
import TapeUplink

extension StoreRecorder {
    func play(_ waiting: WaitingPush, in session: isolated RecordingSession, done: @escaping @Sendable () -> Void) {
        // The store's own state is put back later: an action that was reduced when the lock began belongs to it.
        let (isLoop, isTravel) = (waiting.loop?.keep == false && waiting.of == nil, waiting.push.travel != nil)
        guard isLoop || isTravel else { return playNow(waiting, in: session, done: done) }
        shared.withLockUnchecked { shared in
            shared.whenSettled(session) { [weak self] session in
                guard let self else { return done() }
                playNow(waiting, in: session, done: done)
            }
        }
    }

    private func playNow(
        _ waiting: WaitingPush, in session: isolated RecordingSession, done: @escaping @Sendable () -> Void
    ) {
        if waiting.loop?.keep == false, case .state = waiting.push.content {
            rememberRecorded(for: waiting.push.id, in: session)
        }
        if waiting.push.travel != nil { travelFromRecorded(in: session) }
        guard case .state(let tape) = waiting.push.content, tape.markedPlace != nil else {
            return play(waiting, keeping: nil, in: session, done: done)
        }
        if let own = travel.withLock({ $0?.before }) {
            // A state that was looked at may lack the secret.
            return play(waiting, keeping: try? states.tree(of: own.state), in: session, done: done)
        }
        current(in: session) { [self] session, state in play(waiting, keeping: state, in: session, done: done) }
    }

    /// - Parameter current: The app's state, for the redacted values of a pushed state.
    private func play(
        _ waiting: WaitingPush, keeping current: JSON?, in session: isolated RecordingSession,
        done: @escaping @Sendable () -> Void
    ) {
        let id = waiting.push.id
        do throws(Pushed.Failure) {
            // A value that is encoded on the dispatching thread is decoded on the store's isolation.
            let (isReadLater, isIsolated) =
                switch waiting.push.content {
                case .state: (atOnce != nil, atOnce?.isIsolated == true)
                case .action: (actionLayouts != nil, actions.isIsolated(session.layouts))
                }
            let body = isReadLater ? nil : try read(waiting, keeping: current)
            guard let handlers else {
                throw Pushed.Failure(code: .unknownStore, message: "the store “\(name)” no longer exists")
            }
            if isIsolated, !handlers.isIsolated { throw .actorless }
            let hand = UncheckedSendable((body, handlers))
            handlers.run { [self] in run(hand.value.0, waiting, keeping: current, in: hand.value.1, done) }
        } catch {
            session.fail(id, waiting.of.map(error.replaying) ?? error)
            done()
        }
    }

    /// Plays a push on the store's isolation.
    ///
    /// - Parameter body: The closure to run; nil if the push is not decoded yet.
    private func run(
        _ body: Body?, _ waiting: WaitingPush, keeping current: JSON?, in handlers: StoreHandlers<State, Action>,
        _ done: @escaping @Sendable () -> Void
    ) {
        let id = waiting.push.id
        if let deadline = waiting.deadline, deadline < session.now {
            session.submit(Job { $0.fail(id, .expired) })
            return done()
        }
        if let body { return body(handlers, done) }
        do throws(Pushed.Failure) {
            let body = try read(waiting, keeping: current)
            body(handlers, done)
        } catch {
            let failure = waiting.of.map(error.replaying) ?? error
            session.submit(Job { $0.fail(id, failure) })
            done()
        }
    }

    /// Plays a push on the store's isolation, and calls `done` once the next one may follow.
    private typealias Body = (StoreHandlers<State, Action>, _ done: @escaping @Sendable () -> Void) -> Void

    /// Returns the closure that plays a push on the store's isolation.
    private func read(
        _ waiting: WaitingPush, keeping current: JSON?
    ) throws(Pushed.Failure) -> Body {
        switch waiting.push.content {
        case .state(let tape): try playing(tape, keeping: current, waiting)
        case .action(let action): try dispatching(action, waiting)
        }
    }

    /// Returns the closure that applies a state on the store's isolation.
    private func playing(
        _ tape: JSON, keeping current: JSON?, _ waiting: WaitingPush
    ) throws(Pushed.Failure) -> Body {
        let read = try read(tape, keeping: current, isExact: waiting.push.isExact)
        let id = waiting.push.id
        return { [self] handlers, done in
            defer { done() }
            guard let play = handlers.play else {
                return refuse(id, "store “\(name)” can't apply states: pass “play:” to connect")
            }
            // The loop may have ended while a secret was looked up.
            if waiting.loop != nil, !shared.withLock({ $0.isLocked && $0.lock == .loop }) { return }
            if let loop = waiting.loop, !loop.keep, !remember(for: id, in: handlers) {
                return refuse(id, "the state of store “\(name)” can't be read and restored: pass “state:” to connect")
            }
            var outcome = read
            keepUncoded(in: &outcome, handlers)
            let answer = PushAnswer(id: id, adjustments: outcome.adjustments)
            if let seq = waiting.push.travel { return look(at: seq, outcome.value, answer, in: handlers) }
            settleTravel(at: outcome.value)
            // Record it before the store notifies its subscribers: their actions come after it.
            let cause = waiting.cause(outcome.adjustments)
            replace(outcome.value, cause: cause, answer: waiting.isAnswered ? answer : nil)
            play(outcome.value)
            session.submit(Job { $0.answer(answer) })
        }
    }

    /// Keeps the values that the app has now of members that no tape has.
    private func keepUncoded(in outcome: inout Overlay.Outcome<State>, _ handlers: StoreHandlers<State, Action>) {
        guard outcome.uncoded != nil else { return }
        if let now = handlers.now() {
            MemberKeeper.keep(&outcome, from: now, session.redactor)
        } else {
            let reason = "the app's state can't be read, to keep this member: pass “state:” to connect"
            MemberKeeper.lose(&outcome, reason, session.redactor)
        }
    }

    /// Returns the closure that dispatches an action on the store's isolation.
    private func dispatching(
        _ action: JSON, _ waiting: WaitingPush
    ) throws(Pushed.Failure) -> Body {
        if let place = action["payload"]?.redactedPlace {
            // Numbers, and the names `_0` and so on, are places only.
            let named = place.tokens.last { Int($0.drop { $0 == "_" }) == nil }
            let name = named ?? action["type"]?.string?.split(separator: "/").last.map(String.init) ?? "payload"
            let message =
                "the value of “\(name)” was left out when it was recorded, as that name or one beside it is a secret's. To keep"
                + " it, see Redacting.md in StateTape.docc"
            throw Pushed.Failure(
                code: .redacted, message: message, path: Pointer(["payload"] + place.tokens).description)
        }
        if let place = action["payload"]?.unencodablePlace {
            let message = "this part of the action could not be encoded when it was recorded"
            throw Pushed.Failure(
                code: .decode, message: message, path: Pointer(["payload"] + place.tokens).description)
        }
        let maker = try actions.read(action)
        let id = waiting.push.id
        return { [self] handlers, done in
            guard let dispatch = handlers.dispatch else {
                defer { done() }
                return refuse(id, "store “\(name)” can't dispatch: pass “dispatch:” to connect")
            }
            guard let action = maker.make() else {
                defer { done() }
                return refuse(id, "what was pushed is not an action of “\(name)”")
            }
            let record = EncodingMark.set { maker.record() }
            let adjustments = session.redactor.readable(Adjustments(ignored: maker.ignored))
            let answer = waiting.isAnswered ? PushAnswer(id: id, adjustments: adjustments) : nil
            let pushed = PushedAction(
                id: id, store: name, record: record, cause: waiting.cause(), answer: answer,
                passage: waiting.of == nil ? nil : Passage(done))
            shared.withLock { shared in
                shared.arriving += 1
                if let passage = pushed.passage { shared.held.letPass(record, passage) }
            }
            session.submit(Job { [self] session in expect(pushed, in: session) })
            DispatchScope(of: session, pushed: pushed).run {
                // The push is the cause, and no line of the app is the call site.
                Origin(nil, cause: .none).dispatching { dispatch(action) }
            }
            session.submit(Job { [self] session in dispatched(pushed, in: session) })
            if let passage = pushed.passage { passage.returned() } else { done() }
        }
    }

    private func refuse(_ id: String, _ message: String) {
        session.submit(Job { $0.fail(id, Pushed.Failure(code: .unsupported, message: message)) })
    }
}

// MARK: Missing and redacted values

extension StoreRecorder {
    /// Decodes a state from the tape, with missing values from the app's own initial state.
    ///
    /// - Parameters:
    ///   - current: The state that redacted values are taken from; nil if it can't be read.
    ///   - isLaunch: Whether that is the initial state, whose secrets only stand in for those of the tape.
    ///   - isExact: Whether a state is refused that does not fit its type. Otherwise the parts that do are kept.
    /// - Throws: `Pushed.Failure` with code `decode` or `redacted`.
    func read(
        _ tape: JSON, keeping current: JSON?, isLaunch: Bool = false, isExact: Bool = false
    ) throws(Pushed.Failure) -> Overlay.Outcome<State> {
        let migrated = session.migrations.migrate(tape, of: name)
        var secrets: [String] = []
        // A value that the tape lacks and the app has none for is lost like a part that does not fit.
        let whole = try migrated.keeping(current) {
            isExact ? nil : $1
        } kept: { place in
            if secrets.count < OverlayRepair.limit { secrets.append(place.description) }
        }
        var outcome = try states.read(whole, try? states.tree(of: initial), isExact)
        if isLaunch {
            outcome.adjustments.lost = secrets.map(OverlayRepair.initialSecret) + outcome.adjustments.lost
        } else {
            outcome.adjustments.kept = secrets
        }
        outcome.adjustments = session.redactor.readable(outcome.adjustments)
        return outcome
    }

    /// Reads the app's current state on the store's isolation, or else takes the state that was recorded last.
    ///
    private func current(
        in session: isolated RecordingSession,
        _ body: @escaping @Sendable (_ session: isolated RecordingSession, _ state: JSON?) -> Void
    ) {
        guard let handlers, handlers.state != nil else { return body(session, recordedTree(in: session)) }
        handlers.run { [self, session] in
            let state = handlers.now()
            // A state that is encoded at once can be read only here.
            let tree = atOnce == nil ? nil : state.flatMap { try? states.tree(of: $0) }
            let found = UncheckedSendable((state: atOnce == nil ? state : nil, tree: tree))
            session.post { [self] session in
                session.thread.stack.run {
                    let tree = found.value.tree ?? found.value.state.flatMap { try? states.tree(of: $0) }
                    body(session, tree ?? recordedTree(in: session))
                }
            }
        }
    }

    private func recordedTree(in session: isolated RecordingSession) -> JSON? {
        (recorded(in: session) ?? own(in: session).writer.last).flatMap { try? states.tree(of: $0) }
    }
}
