/// How many connections each address has. Pure.
struct PeerCount {
    private let limit: Int
    private let local: Int
    private var counts: [String: Int] = [:]

    /// - Parameters:
    ///   - limit: Connections that one address may have.
    ///   - local: Connections that this machine may have to itself.
    init(limit: Int, local: Int) {
        self.limit = limit
        self.local = local
    }

    /// Counts a connection; false if its address has as many as it may have.
    mutating func enter(_ peer: String) -> Bool {
        let address = PeerAddress(peer)
        let count = counts[address.group, default: 0]
        guard count < (address.isLoopback ? local : limit) else { return false }
        counts[address.group] = count + 1
        return true
    }

    mutating func exit(_ peer: String) {
        let group = PeerAddress(peer).group
        let count = counts[group, default: 0] - 1
        counts[group] = count > 0 ? count : nil
    }
}
