import StateTape

/// A state that belongs to no actor, and is encoded in the background.
nonisolated struct NotesState: Codable {
    var text = ""
    var encoded = ThreadProbe()
}

nonisolated enum NotesAction: Codable {
    case write(String)
}

final class NotesStore {
    private(set) var state: NotesState
    private let track: Track<NotesState, NotesAction>

    init(_ tape: Recorder) {
        track = tape.track(NotesState(), NotesAction.self, name: "notes")
        state = track.start
        track.connect(
            state: { [weak self] in self?.state }, dispatch: { [weak self] in self?.send($0) },
            play: { [weak self] in self?.state = $0 })
    }

    func send(_ action: NotesAction) {
        track.record(action, &state) { state in
            switch action {
            case .write(let text): state.text = text
            }
        }
    }
}
