/// A task for the recorder's thread, run after everything that was submitted before it.
final class Job: PendingEvent {
    private let body: (isolated RecordingSession) -> Void

    init(isDroppable: Bool = false, _ body: @escaping (isolated RecordingSession) -> Void) {
        self.body = body
        super.init(isDroppable: isDroppable)
    }

    override func write(to session: isolated RecordingSession) { body(session) }
}
