import Dispatch
import StateCapture
import TapeFormat

/// The closures of `connect` and the isolation that they run on.
// Unchecked: the closures are called on that isolation only.
final class StoreHandlers<State, Action>: @unchecked Sendable {
    let state: (() -> State?)?
    let dispatch: ((Action) -> Void)?
    let play: ((State) -> Void)?
    private let isolation: Isolation
    /// Whether it was connected on an actor.
    var isIsolated: Bool { if case .queue = isolation { false } else { true } }
    private static var queue: DispatchQueue { PlayQueue.shared }

    init(
        state: (() -> State?)?, dispatch: ((Action) -> Void)?, play: ((State) -> Void)?, isolation: (any Actor)?
    ) {
        self.state = state
        self.dispatch = dispatch
        self.play = play
        self.isolation = isolation.map(Isolation.actor) ?? .queue
    }

    /// For a store that is an actor, which the closures must not retain.
    init(
        state: @escaping () -> State?, dispatch: @escaping (Action) -> Void, play: @escaping (State) -> Void,
        on store: any Actor
    ) {
        (self.state, self.dispatch, self.play) = (state, dispatch, play)
        isolation = .store(WeakActor(store))
    }

    /// The store's state; nil if it can't be read. Called where the closures may run.
    func now() -> State? { EncodingMark.set { state?() } }

    /// Runs `body` where the closures may run, after all earlier bodies.
    func run(_ body: @escaping @Sendable () -> Void) {
        let actor: (any Actor)? =
            switch isolation {
            case .queue: nil
            case .actor(let actor): actor
            case .store(let store): store.actor
            }
        // A store that is gone does nothing any more, wherever that is.
        guard let isolation = actor else { return Self.queue.async(execute: body) }
        // An actor may run tasks in another order than they were made in, so each task runs the oldest body.
        PlayQueue.waiting.withLock { $0[ObjectIdentifier(isolation), default: []].append(body) }
        Task { await Self.runOldest(on: isolation) }
    }

    private static func runOldest(on isolation: isolated any Actor) async {
        let id = ObjectIdentifier(isolation)
        let body = PlayQueue.waiting.withLock { waiting in
            let body = waiting[id]?.removeFirst()
            if waiting[id]?.isEmpty == true { waiting[id] = nil }
            return body
        }
        body?()
    }
}

/// Where the closures run.
private enum Isolation {
    /// A thread of the recorder.
    case queue
    case actor(any Actor)
    case store(WeakActor)
}

private struct WeakActor {
    private(set) weak var actor: (any Actor)?

    init(_ actor: any Actor) {
        self.actor = actor
    }
}

private enum PlayQueue {
    /// Serves the stores that were connected without an actor.
    static let shared = DispatchQueue(label: "statetape.play")
    /// The bodies to run on each actor, the oldest first. All stores of an actor share a list, since one dispatch may
    /// reach several. Each body's task keeps the actor alive.
    static let waiting = Locked<[ObjectIdentifier: [@Sendable () -> Void]]>([:])
}
