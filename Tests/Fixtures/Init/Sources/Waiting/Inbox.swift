struct InboxState { var messages: [String] = [] }
enum InboxAction { case add(String), clear }

@MainActor final class Inbox {
    private(set) var state = InboxState()
    private let save: (InboxState) async throws -> Void

    init(save: @escaping (InboxState) async throws -> Void) { self.save = save }

    func send(_ action: InboxAction) async throws {
        switch action {
        case .add(let text): state.messages.append(text)
        case .clear: state = InboxState()
        }
        try await save(state)
    }
}
