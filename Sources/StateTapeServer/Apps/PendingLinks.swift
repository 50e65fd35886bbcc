import TapeSockets

/// The connections that have not sent an accepted hello. They have a limit of their own, so that they block no app.
/// Pure.
///
/// Above the limit, the address with the most such connections loses its oldest one. A normal app sends its hello
/// at once, so a peer that floods the server loses its own connections.
struct PendingLinks<ID: Hashable> {
    private let limit: Int
    /// Oldest first.
    private var waiting: [(id: ID, group: String)] = []

    init(limit: Int) {
        self.limit = limit
    }

    /// - Returns: The connection to close, if there are too many.
    mutating func enter(_ id: ID, from address: PeerAddress) -> ID? {
        waiting.append((id, address.group))
        guard waiting.count > limit else { return nil }
        let counts = waiting.reduce(into: [:]) { counts, link in counts[link.group, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        let index = waiting.firstIndex { counts[$0.group] == most }
        return index.map { waiting.remove(at: $0).id }
    }

    /// Removes a connection whose hello was accepted, or that has ended.
    mutating func exit(_ id: ID) {
        waiting.removeAll { $0.id == id }
    }
}
