/// A state as the dispatching thread leaves it for the recorder's.
enum Snapshot<State> {
    /// A copy, to be compared and encoded later.
    case value(State)
    /// The state's JSON, where a copy would share objects with the app.
    case json([UInt8])
    /// What encoding it threw.
    case failed(any Error)
}
