import Foundation
import Logging
import StateTape
import StateTapeServer
import StateTapeStore
import TapeFormat
import TapeSockets

/// Measures the committed actions per second from the dispatch to a viewer over real sockets, and the size of an event.
struct WireBenchmark {
    let quick: Bool

    func run() throws {
        // Each queued action holds a state, so the limit is low.
        for (name, size, count, ahead) in [
            ("10KB", 10_000, 10_000, 64), ("10KB/window1024", 10_000, 20_000, 1_024), ("100KB", 100_000, 2_000, 64),
            ("1MB", 1_000_000, 1_000, 64),
        ] {
            try measure(
                name, BenchState.ofSize(size), BenchState.reduce, quick ? count / 10 : count,
                whole: min(count, 20_000_000 / size + ahead), ahead: ahead
            ) { .toggle($0) }
        }
        // 50 ms at 20,000 keystrokes per second.
        let count = quick ? 10_000 : 20_000
        try measure("text", Self.text, TextState.reduce, count, whole: 2_000, ahead: 1_000) { .keystroke($0) }
        try measureCompressed()
    }

    private static let text = TextState(bytes: 18_000)

    /// - Parameters:
    ///   - whole: The number of actions for the method with whole states, which is slower.
    ///   - ahead: The maximum number of actions on the way.
    private func measure<State: Codable & Sendable, Action: Codable & Sendable>(
        _ name: String, _ state: State, _ reducer: @escaping Reducer<State, Action>, _ count: Int, whole: Int,
        ahead: Int, action: @escaping (Int) -> Action
    ) throws {
        var rates: [Double] = []
        var floors: [Double] = []
        var bytes: [Double] = []
        for _ in 0..<(quick ? 1 : 3) {
            let run = try LinkRun()
            let recorder = Recorder(.init(url: run.server.pageURL.absoluteString, allowRelease: true, crashSafe: false))
            let track = recorder.track(state, Action.self)
            let store = Store(initial: track.start, reducer: reducer, middleware: [track.middleware])
            try run.watch()
            rates.append(try run.rate(count, ahead: ahead) { store.dispatch(action($0)) })
            bytes.append(try run.bytesPerEvent())
            run.stop()

            let other = try LinkRun()
            let sender = try WholeStates(to: other, state: state, reducer: reducer)
            try other.watch()
            // With more, the viewer would fall behind.
            floors.append(try other.rate(whole, ahead: min(ahead, 64)) { sender.dispatch(action($0)) })
            other.stop()
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

    /// Measures the bytes that leave the app for single keystrokes, compressed and with the frames.
    private func measureCompressed() throws {
        let (run, count) = (try LinkRun(), quick ? 500 : 2_000)
        let relay = try Relay(to: run.server.port)
        let recorder = Recorder(
            .test(
                url: "http://127.0.0.1:\(relay.port)/", allowRelease: true, compresses: true))
        let track = recorder.track(Self.text, TextAction.self)
        let store = Store(initial: track.start, reducer: TextState.reduce, middleware: [track.middleware])
        try run.watch()
        _ = try run.rate(1, ahead: 1) { store.dispatch(.keystroke($0)) }
        let before = relay.forwarded
        _ = try run.rate(count, ahead: 1) { store.dispatch(.keystroke($0 + 1)) }
        let bytes = Double(relay.forwarded - before) / Double(count)
        Measurement(
            bench: "wire", name: "text/wire-bytes", value: bytes, unit: "B", better: .lower,
            floor: ("an event as a line", try run.bytesPerEvent())
        ).print()
        run.stop()
    }
}

extension TextAction {
    /// Inserts a varying letter in the middle of the text.
    fileprivate static func keystroke(_ index: Int) -> TextAction {
        .insert(at: 9_000 + index, text: String(UnicodeScalar(UInt8(97 + index * index % 26))))
    }
}
