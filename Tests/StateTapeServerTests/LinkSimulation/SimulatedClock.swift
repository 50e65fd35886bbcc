/// A clock that jumps from one scheduled action to the next.
final class SimulatedClock {
    private struct Entry {
        let time: Duration
        let number: Int
        let body: () -> Void

        static func < (one: Entry, other: Entry) -> Bool {
            one.time == other.time ? one.number < other.number : one.time < other.time
        }
    }

    private(set) var now = Duration.zero
    /// A heap with the next action on top.
    private var entries: [Entry] = []
    private var number = 0

    func after(_ delay: Duration, _ body: @escaping () -> Void) {
        number += 1
        entries.append(Entry(time: now + max(.zero, delay), number: number, body: body))
        var child = entries.count - 1
        while child > 0, entries[child] < entries[(child - 1) / 2] {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Runs all actions up to a time.
    func run(until end: Duration) {
        while let next = entries.first, next.time <= end {
            now = next.time
            removeFirst()
            next.body()
        }
        now = end
    }

    private func removeFirst() {
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && entries[child] < entries[least] {
                least = child
            }
            if least == parent { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
