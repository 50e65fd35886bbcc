import TapeFormat

/// What the server has the app do beside recording: pause, hold its own actions, replay recorded ones.
///
/// A lock ends by itself, and what was held is done then: when the link drops, when nobody has renewed it for a minute, and
/// when the app can't be held. A replay ends when it stands still. The app is its user's, not the page's.
struct Hold: Sendable {
    static let limit: Duration = .seconds(60)
    /// How long a replay may stand still.
    static let replayLimit: Duration = .seconds(5)

    private(set) var isLocked = false
    private var isRecording = true
    /// The start whose actions are being replayed.
    private(set) var replay: String?
    /// When the replay last went on, and whether any of its actions was reduced.
    private var progress = Duration.zero
    private var hasReplayed = false
    /// The app could not be held. A page that only renews its lock doesn't get it back.
    private var isLifted = false

    mutating func obey(_ control: Control) -> [LinkState.Action] {
        var actions: [LinkState.Action] = []
        if let recording = control.recording, recording != isRecording {
            isRecording = recording
            actions.append(.record(recording))
        }
        switch control.locked {
        case true?:
            if !isLocked, !isLifted {
                isLocked = true
                actions.append(.lock)
            }
            actions.append(.wait(.lock, Self.limit))
        case false?:
            isLifted = false
            if isLocked, replay == nil { actions += unlock(discards: control.queue == "discard") }
        case nil: break
        }
        return actions
    }

    /// From the welcome to the end of a replay the app's own actions are held.
    mutating func begin(replay id: String, at now: Duration) -> [LinkState.Action] {
        replay = id
        isLocked = true
        progress = now
        hasReplayed = false
        return [.lock, .wait(.replay, Self.replayLimit)]
    }

    /// The server has sent an action to be replayed.
    mutating func received(_ replay: Replay, at now: Duration) -> [LinkState.Action] {
        guard replay.id == self.replay else { return [] }
        progress = now
        return [.replay(replay)]
    }

    /// An event was recorded.
    mutating func recorded(_ line: EventLine, at now: Duration) {
        guard let replay, line.kind == .action, line["cause"]?["push"]?.string == replay else { return }
        progress = now
        hasReplayed = true
    }

    /// A push or a start was answered. What was held in a replay is dropped: the effects of recorded actions are among
    /// it, and what they brought is recorded too.
    mutating func answered(_ id: String) -> [LinkState.Action] {
        guard id == replay else { return [] }
        replay = nil
        return unlock(discards: hasReplayed)
    }

    mutating func isOverdue() -> [LinkState.Action] {
        isLifted = false
        guard isLocked, replay == nil else { return [] }
        return [.log("The lock was not renewed for a minute: the app is unlocked.")] + unlock(discards: false)
    }

    /// The time is up in which a replay has to go on.
    mutating func mayStandStill(at now: Duration) -> [LinkState.Action] {
        guard let replay else { return [] }
        let left = progress + Self.replayLimit - now
        guard left <= .zero else { return [.wait(.replay, left)] }
        return [.endReplay(replay, Pushed.Failure(code: "expired", message: "the replay made no progress for 5 s"))]
    }

    /// The app can't be held any longer.
    mutating func lift(_ reason: String) -> [LinkState.Action] {
        guard isLocked else { return [] }
        if let replay { return [.endReplay(replay, Pushed.Failure(code: "unsupported", message: reason))] }
        isLifted = true
        return unlock(discards: false)
    }

    mutating func linkIsLost() -> [LinkState.Action] {
        isLifted = false
        guard isLocked else { return [] }
        defer { replay = nil }
        return unlock(discards: replay != nil && hasReplayed)
    }

    private mutating func unlock(discards: Bool) -> [LinkState.Action] {
        isLocked = false
        return [.unlock(discards: discards)]
    }
}
