import DispatchContext
import StateTapeStore

extension Store {
    /// The store with a gate, as a recorder adds it, but without its recording.
    func gated(
        _ isHeld: @escaping @Sendable () -> Bool,
        onOpen: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { _ in }
    ) -> Self {
        add(AddedRecording(gate: EffectGate(isHeld: isHeld, isReplaying: isHeld, onOpen: onOpen)))
        return self
    }
}
