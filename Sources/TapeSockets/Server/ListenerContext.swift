#if Server
    /// What is served at a listener's address.
    final class ListenerContext: Sendable {
        let loop: EventLoop
        let service: any Service
        let subprotocols: [String]
        let options: Listener.Options
        private let peers: LoopBound<PeerCount>

        init(loop: EventLoop, service: any Service, subprotocols: [String], options: Listener.Options) {
            self.loop = loop
            self.service = service
            self.subprotocols = subprotocols
            self.options = options
            peers = LoopBound(
                PeerCount(limit: options.maxPerAddress, local: options.maxLocal, most: options.maxConnections))
        }

        /// Counts a connection; false if its address has as many as it may have. On the loop's thread, as all here.
        func enter(_ peer: String) -> Bool { peers.value.enter(peer) }

        /// Frees a connection's place.
        ///
        /// - Parameter end: When a delayed answer was due: who left before it keeps the place until then.
        func exit(_ peer: String, notBefore end: ContinuousClock.Instant?) {
            let rest = end.map { $0 - .now } ?? .zero
            guard rest > .zero else { return peers.value.exit(peer) }
            loop.schedule(after: rest) { self.peers.value.exit(peer) }
        }
    }
#endif
