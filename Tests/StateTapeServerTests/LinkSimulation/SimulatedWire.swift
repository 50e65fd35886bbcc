#if Server
    import SampleTapes
    /// A connection: in each direction things arrive late, and in order as long as they arrive.
    final class SimulatedWire {
        enum End: Hashable { case app, server }

        enum Item {
            case opened
            case message([UInt8])
            case closed(code: UInt16?, reason: String)
        }

        private struct Direction {
            /// The slowest that an item may be.
            var delay: ClosedRange<Int>
            /// Nothing overtakes.
            var last = Duration.zero
            /// Nothing arrives any more.
            var isOver = false
            var hear: (Item) -> Void = { _ in }
        }

        private unowned let simulation: LinkSimulation
        /// By the end that hears.
        private var directions: [End: Direction] = [:]
        /// What the app has sent.
        private(set) var sent: [[UInt8]] = []

        /// - Parameter slow: How many ms an item takes at most.
        init(_ simulation: LinkSimulation, slow: Int) {
            self.simulation = simulation
            for end in [End.app, .server] {
                directions[end] = Direction(delay: 1...max(1, simulation.chance.once(in: 2) ? slow : slow / 20))
            }
        }

        func hear(at end: End, _ body: @escaping (Item) -> Void) { directions[end]?.hear = body }

        /// Nothing arrives there before.
        func hold(at end: End, until time: Duration) { directions[end]?.last = time }

        /// - Returns: When it arrives, if it does.
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
            direction.hear(item)
        }

        /// The end learns, at some time, that the connection is gone; until then it hears what is under way, or nothing.
        func lose(at end: End, within limit: Int, hearsRest: Bool) {
            guard let direction = directions[end], !direction.isOver else { return }
            if !hearsRest { directions[end]?.isOver = true }
            simulation.clock.after(simulation.chance.milliseconds(1...limit)) {
                if hearsRest, self.directions[end]?.isOver == true { return }
                self.directions[end]?.isOver = true
                direction.hear(.closed(code: nil, reason: "lost"))
            }
        }

        /// Breaks it in one of the ways in which connections break. A message under way is lost as a whole.
        func cut() {
            switch simulation.chance.below(4) {
            case 0:  // Both see it at once, and nothing more arrives.
                for end in [End.app, .server] { lose(at: end, within: 2, hearsRest: false) }
            case 1:  // Silence: both find out by themselves.
                for end in [End.app, .server] { lose(at: end, within: 80_000, hearsRest: false) }
            case 2:  // The app sees it; what it had sent arrives all the same, and the server finds out late.
                lose(at: .app, within: 2, hearsRest: false)
                lose(at: .server, within: 80_000, hearsRest: true)
            default:
                lose(at: .server, within: 2, hearsRest: false)
                lose(at: .app, within: 80_000, hearsRest: true)
            }
        }
    }
#endif
