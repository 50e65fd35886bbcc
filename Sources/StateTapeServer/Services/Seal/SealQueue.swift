/// A queue of sessions with unprocessed lines. Each session is in it at most once.
struct SealQueue {
    /// `queue[first]` is the next.
    private var queue: [String] = []
    private var first = 0
    private var queued: Set<String> = []

    var isEmpty: Bool { first == queue.count }

    func contains(_ session: String) -> Bool { queued.contains(session) }

    mutating func add(_ session: String) {
        if queued.insert(session).inserted { queue.append(session) }
    }

    mutating func next() -> String? {
        guard !isEmpty else { return nil }
        let session = queue[first]
        first += 1
        queued.remove(session)
        if first > 64, first > queue.count / 2 {
            queue.removeFirst(first)
            first = 0
        }
        return session
    }
}
