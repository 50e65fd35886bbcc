/// The parts that a listener's connections share.
final class ListenerContext: Sendable {
    let loop: EventLoop
    let service: any Service
    let subprotocols: [String]
    let options: Listener.Options
    let longMessages: LoopBound<LongMessages>
    private let peers: LoopBound<PeerCount>

    init(loop: EventLoop, service: any Service, subprotocols: [String], options: Listener.Options) {
        self.loop = loop
        self.service = service
        self.subprotocols = subprotocols
        self.options = options
        longMessages = LoopBound(
            LongMessages(
                in: options.spool, maxMessage: options.maxMessage, maxBytes: options.maxSpool,
                failed: options.spoolFailed))
        peers = LoopBound(
            PeerCount(limit: options.maxPerAddress, local: options.maxLocal, most: options.maxConnections))
    }

    /// Counts a connection; false if a limit is reached. Like all functions here, on the loop's thread.
    func enter(_ peer: String) -> Bool { peers.value.enter(peer) }

    /// Removes a connection from the count.
    ///
    /// - Parameter end: When a delayed answer was due. A peer that disconnects earlier counts until then.
    func exit(_ peer: String, notBefore end: ContinuousClock.Instant?) {
        let rest = end.map { $0 - .now } ?? .zero
        guard rest > .zero else { return peers.value.exit(peer) }
        loop.schedule(after: rest) { self.peers.value.exit(peer) }
    }
}
