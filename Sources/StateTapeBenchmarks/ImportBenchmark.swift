import Foundation
import Logging
import StateTapeServer
import TapeFormat

/// Measures the events per second of an HTTP upload of a tape file, committed to disk, and the requests for states that
/// follow it at once.
struct ImportBenchmark {
    let quick: Bool

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    func run() throws {
        let count = quick ? 50_000 : 200_000
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "statetape-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("small.tape")
        try Data(Self.tape(count)).write(to: file)
        var (rates, floors, states): ([Double], [Double], [Double]) = ([], [], [])
        for round in 0..<(quick ? 2 : 5) {
            floors.append(Double(count) / (try Self.seconds { try Self.parse(file) }))
            var configuration = Configuration(data: folder.appendingPathComponent("data-\(round)"))
            configuration.port = 0
            let server = try Server(configuration, logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
            defer { server.stop() }
            rates.append(Double(count) / (try Self.seconds { try Self.upload(file, to: server.port) }))
            states += try (0..<100).map { _ in
                let path = "/api/v1/sessions/BENCH-IMPORT/states/\(Int.random(in: 0..<count))"
                return 1_000 * (try Self.seconds { try Self.ask("GET \(path)", [], server.port, expecting: "200") })
            }
        }
        states.sort()
        Measurement(
            bench: "import", name: "small-events", value: rates.median, unit: "events/s", better: .higher,
            floor: ("reading and parsing the same lines only", floors.median)
        ).print()
        // In the worst case it would be as long as reading all lines before it.
        Measurement(
            bench: "import", name: "state-at-once/p99", value: states[states.count * 99 / 100], unit: "ms",
            better: .lower,
            floor: ("reading and parsing all lines", 1_000 * Double(count) / floors.median)
        ).print()
        try redux(folder)
    }

    /// Measures the seconds to import a Redux DevTools export with 40,000 actions.
    private func redux(_ folder: URL) throws {
        let file = folder.appendingPathComponent("redux.json")
        try Data(Self.reduxFile(40_000)).write(to: file)
        var (times, floors): ([Double], [Double]) = ([], [])
        for round in 0..<(quick ? 2 : 5) {
            floors.append(try Self.seconds { _ = try JSON(parsing: Data(contentsOf: file)) })
            var configuration = Configuration(data: folder.appendingPathComponent("redux-\(round)"))
            configuration.port = 0
            let server = try Server(configuration, logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
            defer { server.stop() }
            times.append(try Self.seconds { try Self.upload(file, to: server.port) })
        }
        Measurement(
            bench: "import", name: "redux-40000", value: times.median, unit: "s", better: .lower,
            floor: ("parsing the same JSON only", floors.median)
        ).print()
    }

    /// Makes an export with a number of actions, each with the state after it.
    private static func reduxFile(_ count: Int) -> [UInt8] {
        let actions = (0..<count).map { seq in
            #""\#(seq)":{"type":"PERFORM_ACTION","action":{"type":"set","n":\#(seq)},"timestamp":\#(seq)}"#
        }
        let states = (0..<count).map { #"{"state":{"n":\#($0)}}"# }
        let parts = [
            #"{"actionsById":{"#, actions.joined(separator: ","), #"},"stagedActionIds":["#,
            (0..<count).map(String.init).joined(separator: ","), #"],"computedStates":["#,
            states.joined(separator: ","), "]}",
        ]
        return Array(parts.joined().utf8)
    }

    static func tape(_ count: Int) -> [UInt8] {
        let header = Header(session: "BENCH-IMPORT", app: .init(id: "bench"), started: "2026-01-01T00:00:00Z")
        var bytes = header.json.bytes + [UInt8(ascii: "\n")]
        bytes += EventLine(seq: 0, at: 0, kind: .`init`, members: [("state", ["count": 0])]).bytes
        for seq in 1..<count {
            let line = EventLine(
                seq: seq, at: Double(seq) * 1.5, kind: .action,
                members: [
                    ("action", ["type": "counter/set", "payload": .number(.init(seq))]),
                    ("patch", [["op": "replace", "path": "/count", "value": .number(.init(seq))]]),
                ])
            bytes.append(UInt8(ascii: "\n"))
            bytes += line.bytes
        }
        return bytes + [UInt8(ascii: "\n")]
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        try ContinuousClock().measure(body) / .seconds(1)
    }

    private static func parse(_ file: URL) throws {
        let lines = try [UInt8](Data(contentsOf: file)).split(separator: UInt8(ascii: "\n")).dropFirst()
        var bytes = 0
        for line in lines { bytes += try EventLine(parsing: Array(line)).bytes.count }
        precondition(bytes > 0)
    }

    /// Uploads the file through one socket.
    private static func upload(_ file: URL, to port: Int) throws {
        try ask("POST /api/v1/sessions", [UInt8](Data(contentsOf: file)), port, expecting: "201")
    }

    /// Sends one request through a new socket.
    static func ask(_ what: String, _ body: [UInt8], _ port: Int, expecting status: String) throws {
        let head = """
            \(what) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r
            Content-Length: \(body.count)\r\n\r\n
            """
        let socket = try Relay.connected(to: port)
        defer { close(socket) }
        for bytes in [Array(head.utf8), body] {
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    send(socket, $0.baseAddress, min($0.count, 1 << 20), Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw Failure(description: "the server closed the connection") }
                sent += count
            }
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = recv(socket, &buffer, buffer.count, 0), count > 0 { answer += buffer[..<count] }
        guard answer.starts(with: Array("HTTP/1.1 \(status) ".utf8)) else {
            throw Failure(description: String(decoding: answer, as: UTF8.self))
        }
    }
}
