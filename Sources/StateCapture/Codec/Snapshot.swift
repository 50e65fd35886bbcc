/// A state as the dispatching thread submits it to the recorder's thread.
package enum Snapshot<State> {
    /// A copy, compared and encoded later.
    case value(State)
    /// The state's JSON, where a copy would share objects with the app.
    case json([UInt8])
    /// The error from encoding it.
    case failed(any Error)
}
