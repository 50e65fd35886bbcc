/// What waits, by client. Clients take turns, so that one with a thousand requests keeps no other waiting.
struct Turns<Element> {
    /// Those of each client, the oldest first.
    private var waiting: [Requester: [Element]] = [:]
    /// The clients that wait, in the order of their turns.
    private var turns: [Requester] = []

    var isEmpty: Bool { turns.isEmpty }
    var count: Int { waiting.values.reduce(0) { $0 + $1.count } }

    mutating func add(_ element: Element, for client: Requester) {
        if waiting[client] == nil { turns.append(client) }
        waiting[client, default: []].append(element)
    }

    mutating func next() -> Element? {
        guard !turns.isEmpty else { return nil }
        let client = turns.removeFirst()
        let element = waiting[client]?.removeFirst()
        if waiting[client]?.isEmpty == true { waiting[client] = nil } else { turns.append(client) }
        return element
    }
}
