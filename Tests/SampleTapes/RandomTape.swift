package import TapeFormat

/// Random lines of every kind in a valid order.
package struct RandomTape {
    package static let stores = ["main", "detail", "café"]

    private var seq = -1
    private var attached: Set<String> = []

    package init() {}

    package mutating func next(_ chance: inout Chance) -> EventLine {
        seq += 1
        let store = Self.stores.randomElement(using: &chance) ?? "main"
        guard attached.contains(store) else {
            attached.insert(store)
            return Sample.start(seq, store: store, Self.state(&chance))
        }
        switch Int.random(in: 0..<100, using: &chance) {
        case 0..<3:
            attached.remove(store)
            return Sample.detach(seq, store: store)
        case 3..<5:
            seq += 2
            return Sample.gap(seq, count: 3)
        case 5..<10: return Sample.action(seq, store: store, ("skipped", true))
        case 10..<15: return Sample.full(seq, store: store, Self.state(&chance))
        case 15..<18:
            let text = JSON.string("note \(Int.random(in: 0..<9, using: &chance))")
            return EventLine(seq: seq, at: Double(seq), kind: .note, members: [("text", text)])
        case 18..<20:
            // This patch applies to no state of the tape.
            return Sample.action(seq, store: store, ("patch", [["op": "remove", "path": "/none/at/all"]]))
        default: return Sample.count(seq, to: Int.random(in: 0..<1_000_000, using: &chance), store: store)
        }
    }

    private static func state(_ chance: inout Chance) -> JSON {
        ["n": .number(.init(Int.random(in: 0..<9, using: &chance)))]
    }
}
