import TapeArchive
import TapeSockets

/// Brings what other servers tell to the services, and the requests that they pass to the API.
struct PeerReceiver: BrokerReceiver {
    let apps: LiveApps
    let events: EventPost
    /// Those of the requests that may be passed.
    let routes: Routes

    func held(_ sessions: Set<String>?) -> [HeldApp] { apps.held(sessions) }

    func received(_ event: PeerEvent) {
        switch event {
        case .maintain: events.tell(.maintain)
        case .request(let request, let answer):
            let exchange = request.exchange(answer: answer)
            // A path without a route, perhaps from a server of another version.
            if !routes.handle(exchange) {
                exchange.respond(Problem(404, "not-found", "Nothing exists at this URL.").response)
            }
        default: events.tell(.peer(event))
        }
    }
}
