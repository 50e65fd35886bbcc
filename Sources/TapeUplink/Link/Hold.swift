import TapeFormat

/// The server's control of the app beside recording: pause, queue the app's actions, replay recorded ones.
///
/// The app must stay usable, so a lock can end without the server, and the queued actions then run. It ends when the
/// link drops, when no page renews it for a minute, and when the app can't be locked. A replay ends when it makes no
/// progress.
struct Hold: Sendable {
    static let limit: Duration = .seconds(60)
    /// How long a launch's replay may make no progress.
    static let replayLimit: Duration = .seconds(5)
    /// How long a loop may make no progress: a debugger may stop the app in a replayed action.
    static let loopLimit: Duration = .seconds(60)

    private(set) var isLocked = false
    private var isRecording = true
    /// The id of the start or loop whose actions are replayed.
    private(set) var replay: String?
    /// Whether the replay is a loop, and whether the app was locked before it.
    private(set) var isLoop = false
    private var wasLocked = false
    /// When the replay last made progress, and whether any of its actions was reduced.
    private var progress = Duration.zero
    private var hasReplayed = false
    /// How many actions wait in each store.
    private var queued: [String: Int] = [:]
    /// The app could not be locked. A page that only renews its lock doesn't lock it again.
    private var isLifted = false

    mutating func obey(_ control: Control) -> [LinkState.Action] {
        var actions: [LinkState.Action] = []
        if let recording = control.recording, recording != isRecording {
            isRecording = recording
            actions.append(.record(recording))
        }
        switch control.locked {
        case true?:
            wasLocked = true
            if !isLocked, !isLifted {
                isLocked = true
                actions.append(.lock)
            }
            actions.append(.wait(.lock, Self.limit))
        case false?:
            isLifted = false
            if isLocked, replay == nil {
                actions += unlock(discards: control.queue == .discard, keeps: control.keep)
            }
        case nil: break
        }
        return actions
    }

    /// Locks the app from the welcome to the end of a replay.
    mutating func begin(replay id: String, at now: Duration) -> [LinkState.Action] {
        replay = id
        isLocked = true
        progress = now
        hasReplayed = false
        return [.lock, .wait(.replay, progressLimit)]
    }

    private var progressLimit: Duration { isLoop ? Self.loopLimit : Self.replayLimit }

    /// Locks the app for a replay that begins with other states.
    mutating func begin(_ loop: Loop, at now: Duration) -> [LinkState.Action] {
        (isLoop, wasLocked) = (true, isLocked)
        return begin(replay: loop.id, at: now) + [.loop(loop)]
    }

    /// Handles an action that the server sent for the replay.
    mutating func received(_ replay: Replay, at now: Duration) -> [LinkState.Action] {
        guard replay.id == self.replay else { return [] }
        progress = now
        return [.replay(replay)]
    }

    /// Notes a recorded event of the replay.
    mutating func recorded(_ line: EventLine, at now: Duration) {
        guard let replay, line["cause"]?[isLoop ? "loop" : "push"]?.string == replay else { return }
        // The state that a launch begins with is not progress of its replay.
        guard isLoop || line.kind == .action else { return }
        progress = now
        hasReplayed = true
    }

    /// Handles the answer to a push or a start. After a replay that reduced actions, the queue is discarded: it holds
    /// their effects' actions, which the tape already has.
    mutating func answered(_ id: String) -> [LinkState.Action] {
        guard id == replay else { return [] }
        replay = nil
        return isLoop ? endLoop() : unlock(discards: hasReplayed)
    }

    /// The app is locked again if it was before the loop.
    private mutating func endLoop() -> [LinkState.Action] {
        (isLoop, isLocked) = (false, wasLocked)
        return [.endLoop(isLocked: wasLocked)]
    }

    /// Handles that a store queued an action.
    ///
    /// - Returns: How many actions wait in all stores; nil if the lock has ended meanwhile.
    mutating func queued(_ count: Int, in store: String) -> Int? {
        guard isLocked else { return nil }
        queued[store] = count
        return queued.values.reduce(0, +)
    }

    mutating func isOverdue() -> [LinkState.Action] {
        isLifted = false
        wasLocked = false
        guard isLocked, replay == nil else { return [] }
        return [.log("The lock was not renewed for a minute: the app is unlocked.")] + unlock(discards: false)
    }

    /// Ends the replay if it made no progress in time.
    mutating func mayStandStill(at now: Duration) -> [LinkState.Action] {
        guard let replay else { return [] }
        let left = progress + progressLimit - now
        guard left <= .zero else { return [.wait(.replay, left)] }
        let message = "the replay made no progress for \(progressLimit.components.seconds) s"
        return [.endReplay(replay, Pushed.Failure(code: .expired, message: message))]
    }

    /// Ends the lock, because the app can't be locked any longer.
    mutating func lift(_ reason: String) -> [LinkState.Action] {
        guard isLocked else { return [] }
        if let replay { return [.endReplay(replay, Pushed.Failure(code: .unsupported, message: reason))] }
        isLifted = true
        return unlock(discards: false)
    }

    mutating func linkIsLost() -> [LinkState.Action] {
        isLifted = false
        guard isLocked else { return [] }
        defer { replay = nil }
        wasLocked = false
        if isLoop { return endLoop() }
        return unlock(discards: replay != nil && hasReplayed)
    }

    private mutating func unlock(discards: Bool, keeps: Bool = false) -> [LinkState.Action] {
        isLocked = false
        queued = [:]
        return [.unlock(discards: discards, keeps: keeps)]
    }
}
