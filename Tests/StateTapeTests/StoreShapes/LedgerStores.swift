import Dispatch
import StateTape
import StateTapeStore
import TapeFormat

/// The shapes of stores: where they reduce, and whether an action is reduced when its dispatch returns.
enum StoreShape: String, CaseIterable, Sendable {
    /// A lock; dispatch reduces.
    case synchronous
    /// A dispatch queue of its own, as Puredux has; its state can't be read.
    case queue
    /// An actor; each dispatch is a task.
    case actor
    /// The main actor; dispatch reduces.
    case mainActor
    /// This package's store with self-reducing actions; a thread that finds it busy leaves its action to the other one.
    case selfReducing

    /// - Parameter isFaulty: Whether the store changes its state beside the actions.
    func make(_ tape: Recorder, isFaulty: Bool = false) async -> any LedgerStore {
        let fault = Fault(isOn: isFaulty)
        switch self {
        case .synchronous: return SynchronousStore(tape, fault)
        case .queue: return QueueStore(tape, fault)
        case .actor:
            let store = ActorStore(tape, fault)
            await store.connect()
            return store
        case .mainActor: return await MainActorStore(tape, fault)
        case .selfReducing: return SelfReducingStore(tape, fault)
        }
    }
}

/// What a faulty store does wrong.
struct Fault: Sendable {
    let isOn: Bool

    func reduce(_ ledger: inout Ledger, _ action: LedgerAction) {
        ledger.reduce(action)
        spoil(&ledger)
    }

    func spoil(_ ledger: inout Ledger) {
        if isOn { ledger.value = ledger.value &+ 1 }
    }
}

protocol LedgerStore: Sendable {
    func send(_ action: LedgerAction) async
    /// The state after all actions that were sent.
    func ledger() async -> Ledger
}

private final class SynchronousStore: LedgerStore {
    private let track: Track<Ledger, LedgerAction>
    private let state: Locked<Ledger>
    private let fault: Fault

    init(_ tape: Recorder, _ fault: Fault) {
        self.fault = fault
        track = tape.track(Ledger(), LedgerAction.self)
        state = Locked(track.start)
        track.connect(
            state: { [weak self] in self?.state.withLock { $0 } }, dispatch: { [weak self] in self?.reduce($0) },
            play: { [weak self] played in self?.state.withLock { $0 = played } }, isolation: nil)
    }

    func send(_ action: LedgerAction) async { reduce(action) }
    func ledger() async -> Ledger { state.withLock { $0 } }

    private func reduce(_ action: LedgerAction) {
        state.withLock { state in track.record(action, &state) { fault.reduce(&$0, action) } }
    }
}

// Unchecked: the state is used on the queue.
private final class QueueStore: LedgerStore, @unchecked Sendable {
    private let queue = DispatchQueue(label: "ledger")
    private let track: Track<Ledger, LedgerAction>
    private var state: Ledger
    private let fault: Fault

    init(_ tape: Recorder, _ fault: Fault) {
        self.fault = fault
        track = tape.track(Ledger(), LedgerAction.self)
        state = track.start
        track.connect(
            dispatch: { [weak self] in self?.reduceLater($0) },
            play: { [weak self] in self?.replaceLater($0) }, isolation: nil)
    }

    func send(_ action: LedgerAction) async { reduceLater(action) }
    func ledger() async -> Ledger { queue.sync { state } }

    private func replaceLater(_ played: Ledger) {
        queue.async { [self] in state = played }
    }

    private func reduceLater(_ action: LedgerAction) {
        queue.async { [self] in track.record(action, &state) { fault.reduce(&$0, action) } }
    }
}

private actor ActorStore: LedgerStore {
    private let track: Track<Ledger, LedgerAction>
    private var state: Ledger
    private let fault: Fault

    init(_ tape: Recorder, _ fault: Fault) {
        self.fault = fault
        track = tape.track(Ledger(), LedgerAction.self)
        state = track.start
    }

    func connect() {
        track.connect(
            state: { [weak self] in self?.assumeIsolated { $0.state } },
            dispatch: { [weak self] action in Task { await self?.send(action) } },
            play: { [weak self] played in self?.assumeIsolated { $0.state = played } })
    }

    func send(_ action: LedgerAction) {
        track.record(action, &state) { fault.reduce(&$0, action) }
    }

    func ledger() -> Ledger { state }
}

@MainActor private final class MainActorStore: LedgerStore {
    private let track: Track<Ledger, LedgerAction>
    private var state: Ledger
    private let fault: Fault

    init(_ tape: Recorder, _ fault: Fault) {
        self.fault = fault
        track = tape.track(Ledger(), LedgerAction.self)
        state = track.start
        track.connect(
            state: { [weak self] in self?.state }, dispatch: { [weak self] in self?.reduce($0) },
            play: { [weak self] in self?.state = $0 })
    }

    func send(_ action: LedgerAction) async { reduce(action) }
    func ledger() async -> Ledger { state }

    private func reduce(_ action: LedgerAction) {
        track.record(action, &state) { fault.reduce(&$0, action) }
    }
}

private final class SelfReducingStore: LedgerStore {
    private let store: ActionStore<Ledger>

    init(_ tape: Recorder, _ fault: Fault) {
        let spoiling: Middleware<Ledger, any SelfReducing<Ledger>> = { next in
            { action, state in
                next(action, &state)
                fault.spoil(&state)
            }
        }
        store = ActionStore(initial: Ledger(), middleware: [spoiling], isolation: nil)
            .taped(by: tape, decoding: LedgerAction.selfReducing, isolation: nil)
    }

    func send(_ action: LedgerAction) async { store.dispatch(action.reducing) }
    func ledger() async -> Ledger { store.state }
}
