#if Server
    import TapeSockets

    /// The connections of which no hello was accepted yet, bounded by themselves: they keep no app out. Pure.
    ///
    /// Where there are too many, the oldest one gives way of the address that has most: an app says hello at once, and one
    /// that floods the server is its own next victim.
    struct PendingLinks<ID: Hashable> {
        private let limit: Int
        /// Oldest first.
        private var waiting: [(id: ID, group: String)] = []

        init(limit: Int) {
            self.limit = limit
        }

        var count: Int { waiting.count }

        /// - Returns: The one that gives way.
        mutating func enter(_ id: ID, from address: PeerAddress) -> ID? {
            waiting.append((id, address.group))
            guard waiting.count > limit else { return nil }
            let counts = waiting.reduce(into: [:]) { counts, link in counts[link.group, default: 0] += 1 }
            let most = counts.values.max() ?? 0
            let index = waiting.firstIndex { counts[$0.group] == most }
            return index.map { waiting.remove(at: $0).id }
        }

        /// Its hello was accepted, or it is gone.
        mutating func exit(_ id: ID) {
            waiting.removeAll { $0.id == id }
        }
    }
#endif
