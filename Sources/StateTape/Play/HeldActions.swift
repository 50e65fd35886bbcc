import TapeFormat

/// The actions of an app that is locked, as they wait to be dispatched again.
struct HeldActions {
    /// More are dropped: nobody taps that often, and what runs by itself comes again.
    static let limit = 1_000

    private var waiting: [() -> Void] = []
    /// Actions that are being replayed, which pass.
    private var passing: [JSON] = []
    private var dropped = 0

    var isPassing: Bool { !passing.isEmpty }

    /// Whether an action may pass; it does once.
    mutating func passes(_ record: JSON?) -> Bool {
        guard let record, let index = passing.firstIndex(of: record) else { return false }
        passing.remove(at: index)
        return true
    }

    mutating func letPass(_ record: JSON) {
        passing.append(record)
    }

    mutating func hold(_ dispatch: @escaping () -> Void) {
        if waiting.count < Self.limit { waiting.append(dispatch) } else { dropped += 1 }
    }

    /// Empties what is held.
    mutating func take() -> (waiting: [() -> Void], dropped: Int) {
        defer { self = HeldActions() }
        return (waiting, dropped)
    }
}
