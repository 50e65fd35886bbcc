struct SafeState { var count = 0 }
enum SafeAction { case add }

func reduceSafe(_ state: inout SafeState, _ action: SafeAction) { state.count += 1 }

actor Safe {
    var content: SafeState

    init() { content = SafeState() }

    func dispatch(_ action: SafeAction) async throws {
        reduceSafe(&content, action)
        try await Task.sleep(nanoseconds: 1)
    }
}
