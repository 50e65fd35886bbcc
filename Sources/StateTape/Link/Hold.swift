import TapeFormat

/// What the server has the app do beside recording: pause, hold its own actions, replay recorded ones.
///
/// A lock ends by itself, and what was held is done then: when the link drops, and when nobody has renewed it for a
/// minute. The app is its user's, not the page's.
struct Hold: Sendable {
    static let limit: Duration = .seconds(60)

    private(set) var isLocked = false
    private var isRecording = true
    /// The start whose actions are being replayed.
    private(set) var replay: String?

    mutating func obey(_ control: Control) -> [LinkState.Action] {
        var actions: [LinkState.Action] = []
        if let recording = control.recording, recording != isRecording {
            isRecording = recording
            actions.append(.record(recording))
        }
        switch control.locked {
        case true?:
            if !isLocked { actions.append(.lock) }
            isLocked = true
            actions.append(.wait(.lock, Self.limit))
        case false? where isLocked && replay == nil: actions += unlock(discards: control.queue == "discard")
        default: break
        }
        return actions
    }

    /// From the welcome to the end of a replay the app's own actions are held.
    mutating func begin(replay id: String) -> [LinkState.Action] {
        replay = id
        isLocked = true
        return [.lock]
    }

    /// A push or a start was answered. What was held in a replay is dropped: the effects of recorded actions are among
    /// it, and what they brought is recorded too.
    mutating func answered(_ id: String) -> [LinkState.Action] {
        guard id == replay else { return [] }
        replay = nil
        return unlock(discards: true)
    }

    mutating func isOverdue() -> [LinkState.Action] {
        guard isLocked, replay == nil else { return [] }
        return [.log("Nobody has renewed the lock for a minute: the app goes on.")] + unlock(discards: false)
    }

    mutating func linkIsLost() -> [LinkState.Action] {
        guard isLocked else { return [] }
        defer { replay = nil }
        return unlock(discards: replay != nil)
    }

    private mutating func unlock(discards: Bool) -> [LinkState.Action] {
        isLocked = false
        return [.unlock(discards: discards)]
    }
}
