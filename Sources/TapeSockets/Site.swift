/// What is served at a listener's address.
final class Site: Sendable {
    let loop: EventLoop
    let service: any Service
    let subprotocols: [String]
    let options: Listener.Options

    init(loop: EventLoop, service: any Service, subprotocols: [String], options: Listener.Options) {
        self.loop = loop
        self.service = service
        self.subprotocols = subprotocols
        self.options = options
    }
}
