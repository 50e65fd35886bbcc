/// A replay in the running app.
struct RunningLoop {
    let id: String
    /// The stores that take part.
    let stores: [String]
    /// Whether their states stay as the replay leaves them.
    let keep: Bool
    /// Whether the states are being put back: no more of its actions run.
    var isEnding = false
}
