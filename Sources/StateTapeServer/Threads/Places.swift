/// A limited number of places. No client takes all of them, and control finds one beside the others.
struct Places {
    let most: Int
    /// The most of all clients without control, and of each of them.
    let withoutControl: Int
    let ofClient: Int
    private var taken: [Requester: Int] = [:]

    init(_ most: Int, withoutControl: Int, ofClient: Int) {
        (self.most, self.withoutControl, self.ofClient) = (most, withoutControl, ofClient)
    }

    /// Takes a place; false if there is none for this client.
    mutating func take(_ client: Requester) -> Bool {
        let own = taken[client, default: 0]
        let hasControl = client.role == .control
        let others = taken.reduce(0) { $0 + ($1.key.role == .control ? 0 : $1.value) }
        guard taken.values.reduce(0, +) < most, hasControl || others < withoutControl && own < ofClient else {
            return false
        }
        taken[client] = own + 1
        return true
    }

    mutating func give(back client: Requester) {
        let own = taken[client, default: 0] - 1
        taken[client] = own > 0 ? own : nil
    }
}
