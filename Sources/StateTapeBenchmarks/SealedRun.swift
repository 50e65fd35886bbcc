import Foundation
import StateTape
import StateTapeServer
import StateTapeStore
import TapeFormat
import TapeSockets

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Ended and sealed sessions in their own archive.
final class SealedRun {
    private let folder: ArchiveFolder
    /// The session ids, the newest first.
    private(set) var sessions: [String] = []
    var session: String { sessions[0] }
    private(set) var events = 0
    /// The size of all states as JSON, in bytes.
    private(set) var stateBytes = 0

    /// Records a session with the app's library.
    ///
    /// - Parameter database: The address of the database with the archive; nil for a file.
    init<State: Codable & Sendable, Action: Codable & Sendable>(
        _ state: State, _ actions: [Action], _ reducer: @escaping Reducer<State, Action>,
        database: String? = nil
    ) throws {
        folder = try ArchiveFolder(database: database)
        let server = try start()
        let recorder = Recorder(.init(url: server.pageURL.absoluteString, allowRelease: true, crashSafe: false))
        let track = recorder.track(state, Action.self)
        let store = Store(initial: track.start, reducer: reducer, middleware: [track.middleware])
        track.connect(state: { store.state })
        for (index, action) in actions.enumerated() {
            store.dispatch(action)
            // Waits, because the recorder skips states that it can't encode in time.
            if index % 100 == 99 { recorder.settle() }
        }
        guard recorder.finish(timeout: .seconds(60)) else { throw BenchViewer.Lost(description: "not delivered") }
        stateBytes = try JSONEncoder().encode(store.state).count * (actions.count + 1)
        try seal(server, count: 1)
    }

    /// Records tapes like another client.
    init(_ tapes: [[EventLine]], database: String? = nil) throws {
        folder = try ArchiveFolder(database: database)
        let server = try start()
        let loop = try EventLoop()
        for lines in tapes {
            let app = BenchApp(lines)
            Client.connect(
                on: loop, to: "ws://127.0.0.1:\(server.port)/v1/app", subprotocol: "statetape.v1", handler: app)
            app.wait()
            stateBytes += lines.reduce(0) { $0 + ($1.size("state") ?? 0) }
        }
        loop.stop()
        try seal(server, count: tapes.count)
    }

    /// Uploads tapes as text, because millions of line values would take gigabytes.
    init(uploading tapes: [[UInt8]], database: String? = nil) throws {
        folder = try ArchiveFolder(database: database)
        let server = try start()
        for tape in tapes { try ImportBenchmark.ask("POST /api/v1/sessions", tape, server.port, expecting: "201") }
        try seal(server, count: tapes.count)
    }

    /// Starts a server with the archive and empty caches.
    func start() throws -> Server { try folder.start() }

    func get(_ path: String, _ server: Server) throws -> Data {
        guard let url = URL(string: "http://127.0.0.1:\(server.port)/api/v1/sessions" + path) else { return Data() }
        return try Data(contentsOf: url)
    }

    private func figure(_ name: String, _ server: Server) throws -> Int {
        guard let url = URL(string: "http://127.0.0.1:\(server.port)/metrics") else { return 0 }
        let lines = String(decoding: try Data(contentsOf: url), as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("statetape_\(name) ") }
        return line?.split(separator: " ").last.flatMap { Double($0) }.map { Int($0) } ?? 0
    }

    /// The size of the archive in bytes; no server may use it.
    var bytesOnDisk: Int {
        get throws { try folder.bytes }
    }

    private func seal(_ server: Server, count: Int) throws {
        while true {
            let list = try JSON(parsing: [UInt8](get("", server)))["sessions"]?.array ?? []
            sessions = list.map { $0["session"]?.string ?? "" }
            events = list.first?["events"]?.int ?? 0
            if list.count == count, list.allSatisfy({ $0["live"] == false && $0["sealed"] == $0["events"] }) {
                break
            }
        }
        // Waits until the server has released most of the free space.
        while try figure("archive_free_bytes", server) * 16 > figure("archive_size_bytes", server) {}
        server.stop()
    }
}

/// An app that sends lines, and disconnects after their acknowledgement.
final class BenchApp: ConnectionHandler, Sendable {
    private let lines: [EventLine]
    private let done = DispatchSemaphore(value: 0)

    init(_ lines: [EventLine]) {
        self.lines = lines
    }

    func wait() { done.wait() }

    func opened(_ connection: Connection) {
        let header = Header(
            session: "BENCH\(UInt64.random(in: 0...UInt64.max))", app: .init(id: "bench"),
            started: "2026-01-01T00:00:00Z")
        connection.send(AppLine.hello(Hello(header: header, key: "bench", next: 0, fresh: false)).bytes)
        for line in lines { connection.send(line.bytes) }
    }

    func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
        for line in message.split(separator: UInt8(ascii: "\n")) {
            if case .ack(let next) = try? ServerLine(parsing: Array(line)), next > lines.last?.seq ?? 0 {
                connection.close(code: 1000, reason: "")
            }
        }
    }

    func drained(_ connection: Connection) {}

    func closed(_ connection: Connection, code: UInt16?, reason: String) { done.signal() }
}
