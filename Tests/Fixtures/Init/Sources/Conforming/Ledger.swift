struct LedgerState { var entries: [String] = [] }
protocol LedgerAction {}
struct Enter: LedgerAction, Codable { let text: String }

extension LedgerState {
    func reduced(by action: any LedgerAction) -> LedgerState {
        var next = self
        if let enter = action as? Enter { next.entries.append(enter.text) }
        return next
    }
}

@MainActor final class Ledger {
    private(set) var state = LedgerState()

    func dispatch(_ action: any LedgerAction) {
        state = state.reduced(by: action)
    }
}
