import TapeFormat

// What the link is told, and what it has done about it.
extension LinkState {
    enum Input {
        /// Begin, or connect now instead of later.
        case connect
        case transport(TransportEvent)
        /// - Parameter isLast: Whether it is to be sent now, with those before it that were not.
        case event(EventLine, isLast: Bool = true)
        /// What was recorded is to be sent now.
        case due
        /// The answer to a push.
        case pushed(Pushed)
        /// A push was left on ``Action/dropPushes``, unplayed.
        case dropped(String)
        /// The app's actions can't be held any longer.
        case lifted(String)
        case timer(Timer)
    }

    enum Action: Equatable {
        case connect
        case send([UInt8])
        /// Close the connection; nothing of it is heard any more.
        case disconnect(code: UInt16, reason: String)
        /// Send `.timer` after this long; an earlier wait for the same timer is forgotten.
        case wait(Timer, Duration)
        /// The server has answered, or will not for now: nobody need wait for a start.
        case settled(Welcome.Start?)
        case play(Push)
        /// Play a recorded action, after those that came before; or answer for all of them.
        case replay(Replay)
        /// Play no more of a replay, and answer for it.
        case endReplay(String, Pushed.Failure)
        /// Go on recording, or pause.
        case record(Bool)
        /// Hold the app's own actions.
        case lock
        /// Do what was held, or drop it.
        case unlock(discards: Bool)
        /// Pushes that have not begun die with the connection: each is told back as ``Input/dropped(_:)``.
        case dropPushes
        /// Write a `replace` with the full state of this store, or of all.
        case full(store: String?)
        /// So many events are held that each store's next one is to carry the full state.
        case segmentEnded
        /// The oldest segment gave way to a gap, which is the first that is held now.
        case gaveUp
        /// Go on under a new name: the server has more of this session than the app has made, so it is some other's.
        case newSession
        /// What is sent on this connection from now on may be compressed.
        case compress
        /// Everything has been acknowledged.
        case acknowledged
        /// There will be no connection any more.
        case stopped
        case log(String)
    }

    enum Timer: Hashable, Sendable { case retry, welcome, silence, lock, replay }

    /// Who speaks: what `hello` says beside its numbers.
    struct SessionIdentity: Sendable {
        var header: Header
        var key: String
        var token: String?
    }
}
