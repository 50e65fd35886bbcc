struct VaultState { var title = ""; var count = 0 }
enum VaultAction { case add }

func reduceVault(_ state: inout VaultState, _ action: VaultAction) { state.count += 1 }

actor Vault {
    private(set) var state = VaultState()
    private var saved = 0

    func send(_ action: VaultAction) {
        reduceVault(&state, action)
    }

    func save() { saved = state.count }
}
