/// An event of a tape, from its action's dispatch on. What the dispatch starts carries it, and names it as its cause.
///
/// It refers to no other event, so a chain of causes keeps nothing in memory.
// Unchecked: only the recorder's thread of the session uses `seq`.
package final class RecordedEvent: @unchecked Sendable {
    /// The event whose reducer, subscriber or effect runs now; tasks inherit it.
    @TaskLocal package static var current: RecordedEvent?

    /// The number of the session in this process.
    package let session: Int
    /// The position on the tape; nil until the event is written.
    // The recorder's thread has exclusive access.
    @exclusivity(unchecked) private var seq: Int?

    package init(session: Int) {
        self.session = session
    }

    /// Notes that the event was written; on the recorder's thread.
    package func wasWritten(as seq: Int) {
        self.seq = seq
    }

    /// The event's position; on the recorder's thread.
    ///
    /// - Returns: Nil if the event belongs to another session, or is not written yet, or never will be.
    package func seq(in session: Int) -> Int? {
        session == self.session ? seq : nil
    }
}
