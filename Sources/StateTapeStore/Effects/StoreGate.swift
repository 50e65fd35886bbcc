import DispatchContext

/// The gate of a store's effects, which a recorder sets.
// Unchecked: it is set before the first dispatch, and so before any effect starts.
final class StoreGate: @unchecked Sendable {
    /// Nil without a recorder: then a dispatch doesn't ask.
    var recorded: EffectGate?
    var current: EffectGate { recorded ?? .open }
}
