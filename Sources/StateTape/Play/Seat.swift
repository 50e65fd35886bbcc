import Dispatch

/// Where a store takes what is played: the closures of `connect` and the isolation that they run on.
// Unchecked: the closures are called on that isolation only.
final class Seat<State, Action>: @unchecked Sendable {
    let state: (() -> State?)?
    let dispatch: ((Action) -> Void)?
    let play: ((State) -> Void)?
    private let isolation: (any Actor)?
    /// Whether it was connected on an actor.
    var isIsolated: Bool { isolation != nil }
    private static var queue: DispatchQueue { SeatQueue.shared }

    init(
        state: (() -> State?)?, dispatch: ((Action) -> Void)?, play: ((State) -> Void)?, isolation: (any Actor)?
    ) {
        self.state = state
        self.dispatch = dispatch
        self.play = play
        self.isolation = isolation
    }

    /// The store's state; nil if it can't be had. Called where the closures may be.
    func now() -> State? { EncodingMark.set { state?() } }

    /// Runs `body` where the closures may be called.
    func run(_ body: @escaping @Sendable () -> Void) {
        guard let isolation else { return Self.queue.async(execute: body) }
        Task { await Self.run(body, on: isolation) }
    }

    private static func run(_ body: @Sendable () -> Void, on isolation: isolated any Actor) async {
        body()
    }
}

/// Serves the stores that were connected outside of any actor.
private enum SeatQueue {
    static let shared = DispatchQueue(label: "statetape.play")
}

/// A value that is handed from one thread to another.
// Unchecked: the giver does not touch it again.
struct Carried<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
