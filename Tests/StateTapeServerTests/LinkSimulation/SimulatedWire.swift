import SampleTapes

/// A connection. In each direction, items arrive late, but in order.
final class SimulatedWire {
    enum End: Hashable { case app, server }

    enum Item {
        case opened
        case message([UInt8])
        case closed(code: UInt16?, reason: String)
    }

    private struct Direction {
        /// The longest delay of an item.
        var delay: ClosedRange<Int>
        /// Keeps the items in order.
        var last = Duration.zero
        /// Whether nothing arrives any more.
        var isOver = false
        var receive: (Item) -> Void = { _ in }
    }

    private unowned let simulation: LinkSimulation
    /// By the receiving end.
    private var directions: [End: Direction] = [:]
    /// The app's sent messages.
    private(set) var sent: [[UInt8]] = []

    /// - Parameter slow: The longest delay of an item, in ms.
    init(_ simulation: LinkSimulation, slow: Int) {
        self.simulation = simulation
        for end in [End.app, .server] {
            directions[end] = Direction(delay: 1...max(1, simulation.chance.once(in: 2) ? slow : slow / 20))
        }
    }

    func receive(at end: End, _ body: @escaping (Item) -> Void) { directions[end]?.receive = body }

    /// The earliest time at which the next item can arrive.
    func hold(at end: End, until time: Duration) { directions[end]?.last = time }

    /// - Returns: The time of arrival; nil if the item is lost.
    @discardableResult
    func send(_ item: Item, to end: End) -> Duration {
        guard var direction = directions[end] else { return .zero }
        direction.last = max(
            direction.last, simulation.clock.now + simulation.chance.milliseconds(direction.delay))
        directions[end] = direction
        if end == .server, case .message(let bytes) = item { sent.append(bytes) }
        simulation.clock.after(direction.last - simulation.clock.now) { self.arrive(item, end) }
        return direction.last
    }

    private func arrive(_ item: Item, _ end: End) {
        guard let direction = directions[end], !direction.isOver else { return }
        if case .closed = item { directions[end]?.isOver = true }
        direction.receive(item)
    }

    /// Reports the loss of the connection to this end after a delay. Until then it receives the items in transit,
    /// or nothing.
    func lose(at end: End, within limit: Int, hearsRest: Bool) {
        guard let direction = directions[end], !direction.isOver else { return }
        if !hearsRest { directions[end]?.isOver = true }
        simulation.clock.after(simulation.chance.milliseconds(1...limit)) {
            if hearsRest, self.directions[end]?.isOver == true { return }
            self.directions[end]?.isOver = true
            direction.receive(.closed(code: nil, reason: "lost"))
        }
    }

    /// Breaks the connection in one of several ways. A message in transit is lost completely.
    func cut() {
        switch simulation.chance.below(4) {
        case 0:  // Both ends notice at once, and nothing more arrives.
            for end in [End.app, .server] { lose(at: end, within: 2, hearsRest: false) }
        case 1:  // Silence: both ends run into their timeouts.
            for end in [End.app, .server] { lose(at: end, within: 80_000, hearsRest: false) }
        case 2:  // The app notices; its sent items still arrive, and the server notices late.
            lose(at: .app, within: 2, hearsRest: false)
            lose(at: .server, within: 80_000, hearsRest: true)
        default:
            lose(at: .server, within: 2, hearsRest: false)
            lose(at: .app, within: 80_000, hearsRest: true)
        }
    }
}
