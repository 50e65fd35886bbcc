import TapeArchive

/// Tells the other servers of the archive what has happened here.
struct PeerNews: CoreService {
    let broker: any Broker
    let apps: LiveApps

    func handle(_ event: CoreEvent) {
        switch event {
        case .committed(let session, _, _): broker.tell(PeerNotice(committed: [session]))
        case .changed(let sessions): broker.tell(PeerNotice(changed: sessions))
        case .shown(let session): broker.tell(PeerNotice(changed: [session]))
        case .deleted(let sessions): broker.tell(PeerNotice(deleted: sessions))
        case .runsChanged: broker.tell(PeerNotice(runs: true))
        case .wanted(let session, let store):
            // The app may be connected to another server.
            if apps.port(of: session) == nil { broker.tell(PeerNotice(wanted: [session: [store]])) }
        default: break
        }
    }
}
