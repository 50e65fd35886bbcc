#if Server
    import Foundation
    import Logging
    import StateTape
    import StateTapeServer
    import StateTapeStore
    import TapeFormat
    import TapeSockets

    /// Actions a second from dispatch to a viewer, over real sockets and committed; and the bytes of an event.
    struct WireBenchmark {
        let quick: Bool

        func run() throws {
            for (name, size, count) in [("10KB", 10_000, 2_000), ("100KB", 100_000, 300), ("1MB", 1_000_000, 40)] {
                try measure(name, BenchState.ofSize(size), BenchState.reduce, count) { .toggle($0) }
            }
            try measure("text", TextState(bytes: 18_000), TextState.reduce, 2_000) {
                .insert(at: 9_000 + $0, text: "e")
            }
        }

        private func measure<State: Codable & Sendable, Action: Codable & Sendable>(
            _ name: String, _ state: State, _ reducer: @escaping Reducer<State, Action>, _ count: Int,
            action: @escaping (Int) -> Action
        ) throws {
            let count = quick ? max(10, count / 10) : count
            var rates: [Double] = []
            var floors: [Double] = []
            var bytes: [Double] = []
            for _ in 0..<(quick ? 1 : 3) {
                let run = try LinkRun()
                let recorder = Recorder(url: run.server.pageURL.absoluteString, allowRelease: true, crashSafe: false)
                let track = recorder.track(state, Action.self)
                let store = Store(initial: track.start, reducer: reducer, middleware: [track.middleware])
                try run.watch()
                rates.append(try run.rate(count) { store.dispatch(action($0)) })
                bytes.append(try run.bytesPerEvent())
                run.stop()

                let whole = try LinkRun()
                let sender = try WholeStates(to: whole, state: state, reducer: reducer)
                try whole.watch()
                floors.append(try whole.rate(count) { sender.dispatch(action($0)) })
                whole.stop()
            }
            let floorName = "whole states by JSONEncoder over the same link"
            Measurement(
                bench: "wire", name: name, value: rates.median, unit: "actions/s", better: .higher,
                floor: (floorName, floors.median)
            ).print()
            Measurement(
                bench: "wire", name: name + "/bytes", value: bytes.median, unit: "B", better: .lower,
                floor: ("the state as JSON", Double(try JSONEncoder().encode(state).count))
            ).print()
        }
    }
#endif
