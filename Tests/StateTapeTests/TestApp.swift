import Dispatch
import StateTape
import TapeFormat

struct Todo: Codable, Equatable, Sendable {
    var title = ""
    var done = false
}

struct TestState: Codable, Equatable, Sendable {
    var todos: [Todo] = []
    var count = 0
    var filter = "all"
}

enum TestAction: Codable, Equatable, Sendable {
    case todos(TodoAction)
    case increment
    enum TodoAction: Codable, Equatable, Sendable {
        case add(title: String)
        case toggle(Int)
    }
}

func reduce(_ state: inout TestState, _ action: TestAction) {
    switch action {
    case .increment: state.count += 1
    case .todos(.add(let title)): state.todos.append(Todo(title: title))
    case .todos(.toggle(let index)): state.todos[index].done.toggle()
    }
}

/// A store on the main actor, as in the recipe.
@MainActor final class MainStore {
    private(set) var state: TestState {
        didSet { for (condition, resume) in waiters where condition(state) { resume() } }
    }
    nonisolated let track: Track<TestState, TestAction>
    private var waiters: [((TestState) -> Bool, () -> Void)] = []

    init(_ tape: Recorder, initial: TestState = TestState(), name: String = "main") {
        track = tape.track(initial, TestAction.self, name: name)
        state = track.start
    }

    func connect() {
        track.connect(
            state: { [weak self] in self?.state }, dispatch: { [weak self] in self?.send($0) },
            play: { [weak self] in self?.state = $0 })
    }

    func send(_ action: TestAction, fileID: StaticString = #fileID, line: UInt = #line) {
        track.dispatch(fileID: fileID, line: line) { track.record(action, &state) { reduce(&$0, action) } }
    }
    func set(_ change: (inout TestState) -> Void) { track.set(&state, change) }

    func wait(for condition: @escaping (TestState) -> Bool) async {
        if condition(state) { return }
        await withCheckedContinuation { continuation in
            var isMet = false
            waiters.append(
                (
                    { state in
                        defer { isMet = isMet || condition(state) }
                        return !isMet && condition(state)
                    }, { continuation.resume() }
                ))
        }
    }
}

/// A store outside any actor, which has a new state only once it may.
final class SlowStore: Sendable {
    let track: Track<TestState, TestAction>
    let state = Locked(TestState())
    let isFree = DispatchSemaphore(value: 0)

    init(_ tape: Recorder) { track = tape.track(TestState(), TestAction.self) }

    /// Connects outside any actor, as it is asynchronous.
    func connect() async {
        track.connect(
            dispatch: { [self] action in
                var next = state.withLock { $0 }
                track.record(action, &next) { reduce(&$0, action) }
                change(to: next)
            },
            play: { [self] in change(to: $0) })
    }

    private func change(to next: TestState) {
        isFree.wait()
        state.withLock { $0 = next }
    }
}
