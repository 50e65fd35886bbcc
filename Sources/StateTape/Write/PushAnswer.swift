import TapeFormat

/// The answer to a push, sent once its event is written and the app's closure has returned: then the app has what was
/// pushed.
final class PushAnswer: Sendable {
    let id: String
    let adjustments: Adjustments
    /// The event, once it is written.
    let seq = ThreadBound<Int?>(nil)

    init(id: String, adjustments: Adjustments) {
        self.id = id
        self.adjustments = adjustments
    }
}
