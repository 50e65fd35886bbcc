import TapeFormat

/// A store that shows earlier states, while the app's own actions are queued.
struct Travel<State> {
    /// The most events that the tape names.
    private static var limit: Int { 20 }

    /// The store's own state, which it returns to.
    var before: KeptState<State>
    /// The first events that were looked at.
    private var first: [Int] = []
    private var last: Int?
    private(set) var count = 0

    init(before: KeptState<State>) {
        self.before = before
    }

    mutating func look(at seq: Int) {
        if seq == last { return }
        count += 1
        last = seq
        if first.count < Self.limit - 1 { first.append(seq) }
    }

    /// The `cause` of the event that ends it.
    func cause(keeps: Bool) -> JSON {
        var seqs = first
        if let last, count > first.count { seqs.append(last) }
        let travel: JSON = [
            "count": .number(JSON.Number(count)), "seqs": .array(seqs.map { .number(JSON.Number($0)) }),
        ]
        return keeps ? ["travel": travel, "keep": true] : ["travel": travel]
    }
}
