import TapeArchive
import TapeFormat
import TapeSockets

/// What has happened in the server. Each service gets it on the loop's thread, in the order of the list in
/// ``ServerCore``.
enum CoreEvent {
    /// Lines of a visible session are committed. They came over the link of the session's app; nil for an upload.
    case committed(_ session: String, Batch, AppLink?)
    /// The sessions are new, or something but their lines has changed: an app has connected, a title was set.
    case changed(Set<String>)
    /// An upload is complete and visible.
    case shown(_ session: String)
    case deleted(Set<String>)
    /// The server refused an app.
    case refused(peer: String, LinkError)
    /// The connection of an app has ended that had opened its session.
    case disconnected(AppLink)
    /// An app has answered a push.
    case answered(Pushed, AppLink)
    /// An app has answered, perhaps about its launch state.
    case launchAnswered(Pushed, Session)
    /// The app of a new run has applied its launch state, or did not get or take it.
    case launched(Pushed.Result, Session)
    /// An app got a launch state after which recorded actions are replayed.
    case replaying(Replay, AppLink)
    /// A patch of the store doesn't apply: its app should send a full state.
    case wanted(session: String, store: String)
    /// What a `statetape run` reports has changed.
    case runsChanged
    /// What each `statetape run` last reported was read again.
    case runs([JSON])
    /// The archive can't be written, for this reason; nil once it can.
    case unwritable(_ reason: String?)
    /// Enough is committed to read from apps again.
    case relieved
    /// It is time for what one server of the archive does for all.
    case maintain
    /// Another server of the archive has told something.
    case peer(PeerEvent)
}

/// Does something when an event happens, on the loop's thread, which must not wait.
protocol CoreService {
    func handle(_ event: CoreEvent)
}

/// Tells the services what has happened.
final class CoreEvents {
    private var services: [any CoreService] = []
    /// What happened before there were services.
    private var early: [CoreEvent]? = []

    /// Begins to tell these services, each event in this order.
    func begin(_ services: [any CoreService]) {
        self.services = services
        let early = early ?? []
        self.early = nil
        for event in early { tell(event) }
    }

    /// Tells nobody any more.
    func end() { (services, early) = ([], nil) }

    func tell(_ event: CoreEvent) {
        if early?.append(event) != nil { return }
        for service in services { service.handle(event) }
    }
}

/// Lets other threads tell what has happened, in one hop.
struct EventPost: Sendable {
    private let loop: EventLoop
    private let events: LoopBound<CoreEvents>

    init(_ events: CoreEvents, on loop: EventLoop) { (self.loop, self.events) = (loop, LoopBound(events)) }

    /// For callbacks that are on the loop's thread.
    var here: CoreEvents { events.value }

    func tell(_ event: @autoclosure @escaping @Sendable () -> CoreEvent) {
        loop.execute { here.tell(event()) }
    }
}
