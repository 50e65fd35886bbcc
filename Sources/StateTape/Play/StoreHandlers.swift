import Dispatch
import StateCapture
import TapeFormat

/// The closures of `connect` and the isolation that they run on.
// Unchecked: the closures are called on that isolation only.
final class StoreHandlers<State, Action>: @unchecked Sendable {
    let state: (() -> State?)?
    let dispatch: ((Action) -> Void)?
    let play: ((State) -> Void)?
    private let isolation: (any Actor)?
    /// Whether it was connected on an actor.
    var isIsolated: Bool { isolation != nil }
    private static var queue: DispatchQueue { PlayQueue.shared }

    init(
        state: (() -> State?)?, dispatch: ((Action) -> Void)?, play: ((State) -> Void)?, isolation: (any Actor)?
    ) {
        self.state = state
        self.dispatch = dispatch
        self.play = play
        self.isolation = isolation
    }

    /// The store's state; nil if it can't be read. Called where the closures may run.
    func now() -> State? { EncodingMark.set { state?() } }

    /// Runs `body` where the closures may run, after all earlier bodies.
    func run(_ body: @escaping @Sendable () -> Void) {
        guard let isolation else { return Self.queue.async(execute: body) }
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

private enum PlayQueue {
    /// Serves the stores that were connected without an actor.
    static let shared = DispatchQueue(label: "statetape.play")
    /// The bodies to run on each actor, the oldest first. All stores of an actor share a list, since one dispatch may
    /// reach several. Each body's task keeps the actor alive.
    static let waiting = Locked<[ObjectIdentifier: [@Sendable () -> Void]]>([:])
}
