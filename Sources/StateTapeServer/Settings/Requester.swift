import TapeSockets

/// Who asks, as far as the server can tell: what one of them does must not slow down the others.
struct Requester: Hashable, Sendable {
    /// Nil without a valid token, and for the server itself.
    let role: Role?
    private let address: String
    /// On this machine, perhaps a proxy that connects on behalf of many.
    let isLocal: Bool

    /// The server itself.
    static let server = Requester(role: nil, peer: "")

    init(role: Role?, peer: String) {
        let address = PeerAddress(peer)
        (self.role, self.address, isLocal) = (role, address.group, address.isLoopback)
    }
}
