import TapeArchive
import TapeSockets

/// Brings what other servers tell to the services.
struct PeerReceiver: BrokerReceiver {
    let apps: Apps
    let workers: Workers
    let loop: EventLoop
    let events: CoreEvents

    func held(_ sessions: Set<String>?) -> [HeldApp] { apps.held(sessions) }

    func received(_ event: PeerEvent) {
        if case .maintain = event { return workers.run { [events] in events.tell(.maintain) } }
        loop.execute { [events] in events.tell(.peer(event)) }
    }
}
