/// A task for the recorder's thread, run after everything that was submitted before it.
final class Job: PendingEvent {
    private let body: (RecordingSession) -> Void

    init(isDroppable: Bool = false, _ body: @escaping (RecordingSession) -> Void) {
        self.body = body
        super.init(isDroppable: isDroppable)
    }

    override func write(to session: RecordingSession) { body(session) }
}
