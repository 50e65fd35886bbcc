import Foundation
import StateTape
import StateTapeStore
import TapeFormat
import TapeSockets

/// Measures the memory that recording adds to an app with a large state, at a steady rate and with a fast server.
struct MemoryBenchmark {
    let quick: Bool
    private let rate = 200.0

    func run() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("statetape-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let loop = try EventLoop()
        defer { loop.stop() }
        let listener = try Listener(
            on: loop, host: "127.0.0.1", port: 0, subprotocols: ["statetape.v1"], service: Acknowledger())
        let state = BenchState.ofSize(1_000_000)
        // Allocates the memory that the app itself needs for its changes first.
        dispatch(into: Store(initial: state, reducer: BenchState.reduce), seconds: 1) {}
        let before = Self.resident
        var most = before
        let recorder = Recorder(
            .test(
                url: "ws://127.0.0.1:\(listener.port)/", allowRelease: true, spool: folder))
        let track = recorder.track(state, BenchAction.self)
        let store = Store(initial: track.start, reducer: BenchState.reduce, middleware: [track.middleware])
        dispatch(into: store, seconds: quick ? 4 : 60) { most = max(most, Self.resident) }
        recorder.finish()
        let bytes = try JSONEncoder().encode(state).count
        Measurement(
            bench: "memory", name: "1MB@200", value: Double(most - before) / 1_048_576, unit: "MiB", better: .lower,
            floor: ("two states as JSON", 2 * Double(bytes) / 1_048_576)
        ).print()
    }

    private func dispatch(into store: Store<BenchState, BenchAction>, seconds: Double, look: () -> Void) {
        let start = Date()
        for index in 0..<Int(seconds * rate) {
            Thread.sleep(until: start + Double(index) / rate)
            store.dispatch(.toggle(index))
            if index % 8 == 0 { look() }
        }
    }

    /// The memory of this process in bytes; 0 on systems without `/proc`.
    static var resident: Int {
        let fields = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return (fields?.dropFirst().first.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}

/// A server that stores nothing and acknowledges all events.
private final class Acknowledger: Service, ConnectionHandler {
    func admit(_ request: HTTPRequest) -> HTTPResponse? { nil }
    func handle(_ exchange: HTTPExchange) { exchange.respond(HTTPResponse(status: 404)) }
    func upgrade(_ request: HTTPRequest, offered: [String]) -> Upgrade {
        .accept(subprotocol: "statetape.v1", self)
    }

    func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
        for line in message.split(separator: UInt8(ascii: "\n")) {
            switch try? AppLine(parsing: Array(line)) {
            case .hello(let hello):
                connection.send(
                    ServerLine.welcome(Welcome(session: hello.header.session, have: 0, server: "bench")).bytes)
            case .event(let event): connection.send(ServerLine.ack(next: event.seq + 1).bytes)
            default: break
            }
        }
    }

    func opened(_ connection: Connection) {}
    func drained(_ connection: Connection) {}
    func closed(_ connection: Connection, code: UInt16?, reason: String) {}
}
