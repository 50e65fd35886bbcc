/// Counts the connections per address and in total. Pure.
struct PeerCount {
    private let limit: Int
    private let local: Int
    private let most: Int
    private var count = 0
    private var counts: [String: Int] = [:]

    /// - Parameters:
    ///   - limit: The most connections of one address.
    ///   - local: The most connections from this machine.
    ///   - most: The most connections in total.
    init(limit: Int, local: Int, most: Int = .max) {
        self.limit = limit
        self.local = local
        self.most = most
    }

    /// Counts a connection; false if a limit is reached.
    mutating func enter(_ peer: String) -> Bool {
        let address = PeerAddress(peer)
        let count = counts[address.group, default: 0]
        guard self.count < most, count < (address.isLoopback ? local : limit) else { return false }
        self.count += 1
        counts[address.group] = count + 1
        return true
    }

    mutating func exit(_ peer: String) {
        count -= 1
        let group = PeerAddress(peer).group
        let count = counts[group, default: 0] - 1
        counts[group] = count > 0 ? count : nil
    }
}
