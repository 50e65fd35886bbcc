package import TapeFormat

// The inputs of the link and the actions that it asks for.
extension LinkState {
    package enum Input: Sendable {
        /// Connect for the first time, or now instead of later.
        case connect
        case transport(TransportEvent)
        /// - Parameter isLast: Whether to send it now, with all unsent ones before it.
        case event(EventLine, isLast: Bool = true)
        /// Send the recorded events now.
        case due
        /// The answer to a push.
        case pushed(Pushed)
        /// A push was discarded by ``Action/dropPushes`` before it was played.
        case dropped(String)
        /// A store of the locked app has so many queued actions.
        case queued(store: String, Int)
        /// The app's actions can't be queued any longer.
        case lifted(String)
        case timer(Timer)
    }

    package enum Action: Equatable {
        case connect
        case send([UInt8])
        /// Close the connection and ignore all its later events.
        case disconnect(code: UInt16, reason: String)
        /// Send `.timer` after this long. It replaces an earlier wait for the same timer.
        case wait(Timer, Duration)
        /// The server has answered, or will not for now: no store needs to wait for a launch state.
        case settled(Welcome.Start?)
        case play(Push)
        /// Play a recorded action after the earlier ones, or answer for all of them.
        case replay(Replay)
        /// Remember the stores' states and begin with the loop's. The loop's actions follow.
        case loop(Loop)
        /// Stop a loop and put the states back, then answer for it.
        case stopLoop(String)
        /// A loop has ended: put the states back if that is not done, and leave the app locked or unlock it.
        case endLoop(isLocked: Bool)
        /// Stop a replay and answer for it.
        case endReplay(String, Pushed.Failure)
        /// Resume or pause recording.
        case record(Bool)
        /// Queue the app's own actions.
        case lock
        /// Run the queued actions, or discard them. After time travel, first put the own state back, unless the app keeps
        /// the one that it came to.
        case unlock(discards: Bool, keeps: Bool = false)
        /// Discard pushes that have not begun, since their connection is closed. Report each as ``Input/dropped(_:)``.
        case dropPushes
        /// Write a `replace` with the full state of this store, or of all.
        case full(store: String?)
        /// A segment is full: the next event of each store must carry the full state.
        case segmentEnded
        /// The oldest segment became a gap, which is now the first line.
        case gaveUp
        /// Continue under a new name. The server has more events of this session than the app has made, so the session
        /// is another app's.
        case newSession
        /// Continue under a new name for the server that answers now. The session is recorded for another archive, which
        /// keeps what it has, and what it lacks is kept for it.
        case otherArchive
        /// Messages on this connection may be compressed from now on.
        case compress
        /// The server has acknowledged everything.
        case acknowledged
        /// The link will not connect again.
        case stopped
        case log(String)
        case report(RecorderStatus)
    }

    package enum Timer: Hashable, Sendable { case retry, welcome, silence, lock, replay }

    /// The session's identity, which `hello` sends beside its numbers.
    package struct SessionIdentity: Sendable {
        package var header: Header
        package var key: String
        package var token: String?
        package var server = SessionServer()

        package init(header: Header, key: String, token: String? = nil, server: SessionServer = SessionServer()) {
            (self.header, self.key, self.token, self.server) = (header, key, token, server)
        }
    }
}
