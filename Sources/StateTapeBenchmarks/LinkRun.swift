import Foundation
import Logging
import StateTapeServer
import TapeFormat
import TapeSockets

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server with a real archive, and a viewer that watches its only session.
final class LinkRun {
    let server: Server
    let loop: EventLoop
    private let folder: URL
    private let viewer: BenchViewer

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "statetape-bench-\(UUID().uuidString)")
        var configuration = Configuration(data: folder)
        configuration.port = 0
        server = try Server(configuration, logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
        loop = try EventLoop()
        viewer = BenchViewer()
        Client.connect(
            on: loop, to: "ws://127.0.0.1:\(server.port)/v1/viewer", subprotocol: "statetape.viewer.v1",
            handler: viewer)
    }

    /// The session's id, once the viewer watches it.
    var session: String { viewer.session }

    /// Waits until the viewer watches the session.
    func watch() throws { try viewer.wait { $0.isWatching } }

    /// Waits until the server has the session's first event.
    func begin() throws { try viewer.wait { $0.isBegun } }

    /// Dispatches actions, at most `ahead` more than the viewer has received.
    ///
    /// - Returns: The number of received actions per second.
    func rate(_ count: Int, ahead: Int, _ dispatch: (Int) -> Void) throws -> Double {
        let first = viewer.seen
        let clock = ContinuousClock()
        let start = clock.now
        for index in 0..<count {
            if index >= ahead { try viewer.wait { $0.seen - first > index - ahead } }
            dispatch(index)
        }
        try viewer.wait { $0.seen - first >= count }
        let duration = clock.now - start
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        return Double(count) / seconds
    }

    /// The mean size of a line in bytes, without the first one, which has the whole state.
    func bytesPerEvent() throws -> Double {
        var (bytes, count) = (0, 0)
        while true {
            let path = "/api/v1/sessions/\(viewer.session)/events?from=\(count + 1)&limit=1000"
            guard let url = URL(string: "http://127.0.0.1:\(server.port)\(path)") else { return .nan }
            let lines = try Data(contentsOf: url)
            guard !lines.isEmpty else { return Double(bytes) / Double(count) }
            bytes += lines.count
            count += lines.reduce(0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        }
    }

    func stop() {
        loop.stop()
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }
}

/// A viewer that counts received actions.
final class BenchViewer: ConnectionHandler, Sendable {
    struct Progress {
        var session = ""
        var isWatching = false
        /// The server has an event.
        var isBegun = false
        var seen = 0
        var lost: String?
    }

    struct Lost: Error, CustomStringConvertible {
        let description: String
    }

    private let changed = NSCondition()
    private let progress = Locked(Progress())

    var seen: Int { progress.withLock { $0.seen } }
    var session: String { progress.withLock { $0.session } }

    func wait(until holds: (Progress) -> Bool) throws {
        changed.lock()
        defer { changed.unlock() }
        while true {
            let now = progress.withLock { $0 }
            if let lost = now.lost { throw Lost(description: lost) }
            if holds(now) { return }
            changed.wait()
        }
    }

    private func update(_ change: (inout Progress) -> Void) {
        progress.withLock { change(&$0) }
        changed.lock()
        changed.broadcast()
        changed.unlock()
    }

    func opened(_ connection: Connection) { connection.send(ViewerRequest.watchSessions.bytes) }

    func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
        var (actions, isBegun) = (0, false)
        for line in message.split(separator: UInt8(ascii: "\n")) {
            switch try? ViewerLine(parsing: Array(line)) {
            case .session(let summary):
                let isNew = progress.withLock { progress in
                    defer { progress.session = summary["session"]?.string ?? "" }
                    return progress.session.isEmpty
                }
                if isNew { connection.send(ViewerRequest.watch(session: session).bytes) }
            case .watching(_, let next):
                isBegun = isBegun || next > 0
                update { $0.isWatching = true }
            case .event(_, let line, _):
                isBegun = true
                if line["event"] == "action" { actions += 1 }
            case .behind: update { $0.lost = "the viewer fell behind" }
            default: break
            }
        }
        if isBegun {
            update { progress in
                progress.isBegun = true
                progress.seen += actions
            }
        }
    }

    func drained(_ connection: Connection) {}

    func closed(_ connection: Connection, code: UInt16?, reason: String) {
        update { $0.lost = "the viewer's connection was closed: \(reason)" }
    }
}
