import DispatchContext
import StateCapture
import TapeFormat

/// What belongs to the recorder's thread of a store's recorder.
final class StoreWriting<State> {
    let lineEncoder: ActionEncoder
    /// Pushed actions that were dispatched but not yet written.
    var expected: [PushedAction] = []
    /// The store has left the app.
    var isGone = false
    /// The last pushed action was recorded on the thread that dispatched it.
    var isReducingInPlace = false
    /// The last state of the store is the one in `writer`.
    var isLastWritten = false
    /// The last state was too long for a line, and a note has said so.
    var isTooLong = false
    /// After a state that was too long, those from before then aren't tried.
    var nextTry = Duration.zero
    /// The actions since the last note whose states were skipped although each state is wanted.
    var skipped: SkippedStates?
    var writer: StateWriter<State>

    init(_ writer: StateWriter<State>, _ redactor: Redactor) {
        self.writer = writer
        lineEncoder = ActionEncoder(redactor)
    }
}
