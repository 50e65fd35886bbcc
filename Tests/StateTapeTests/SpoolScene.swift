import Foundation
import TapeFormat
import Testing

@testable import StateTape
@testable import TapeUplink

/// A folder for a spool, deleted with its test, and operations on it.
final class SpoolScene: Sendable {
    let place = FileManager.default.temporaryDirectory.appendingPathComponent("statetape-spool-\(UUID().uuidString)")
    private let messages = Locked<(told: [String], waiters: [@Sendable ([String]) -> Bool])>(([], []))

    deinit { try? FileManager.default.removeItem(at: place) }

    var folder: SpoolFolder { SpoolFolder(place: place, log: log) }

    var log: @Sendable (String) -> Void {
        { [messages] text in
            messages.withLock { messages in
                messages.told.append(text)
                let told = messages.told
                messages.waiters.removeAll { $0(told) }
            }
        }
    }

    /// The problems that the spool logged.
    var told: [String] {
        messages.withLock { $0.told.filter { !$0.contains("onnected") && !Self.isDelivery($0) } }
    }

    /// How often it logged that a session is connected.
    var connections: Int { messages.withLock { $0.told.count { $0.contains("Connected; the session is ") } } }

    private static func isDelivery(_ message: String) -> Bool { message.hasPrefix("Delivered the last events") }

    /// Waits until this many sessions are delivered and deleted.
    func delivered(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            messages.withLock { messages in
                let waiter: @Sendable ([String]) -> Bool = { told in
                    guard told.filter(Self.isDelivery).count >= count else { return false }
                    continuation.resume()
                    return true
                }
                if !waiter(messages.told) { messages.waiters.append(waiter) }
            }
        }
    }

    /// Waits for this many messages with a text.
    func said(_ text: String, times count: Int = 1) async {
        await withCheckedContinuation { continuation in
            messages.withLock { messages in
                let waiter: @Sendable ([String]) -> Bool = { told in
                    guard told.filter({ $0.contains(text) }).count >= count else { return false }
                    continuation.resume()
                    return true
                }
                if !waiter(messages.told) { messages.waiters.append(waiter) }
            }
        }
    }

    /// - Parameter isTheirs: Whether the dead processes' sessions were recorded for this server, as by a server that
    ///   moved to another port. Otherwise they stay what they are.
    func recorder(
        _ url: String, in place: URL? = nil, crashSafe: Bool = true, bounds: Outbox.Bounds = Outbox.Bounds(),
        isTheirs: Bool = true
    ) -> Recorder {
        if isTheirs, let address = Address(url) { assign(to: SessionServer(address)) }
        return Recorder(
            .test(
                url: url, crashSafe: crashSafe,
                launch: Launch(environment: [:], arguments: ["/bin/test-app"], spool: place ?? self.place),
                bounds: bounds, log: log))
    }

    /// Notes in the dead processes' sessions that they were recorded for this server.
    func assign(to server: SessionServer) {
        var server = server
        server.isWelcomed = true
        for name in sessions {
            guard let folder = try? SessionFolder.take(place.appendingPathComponent(name)),
                var identity = try? folder.sessionIdentity(token: nil)
            else { continue }
            identity.server = server
            try? folder.identify(as: identity)
        }
    }

    /// A copy of the spool as it would be if this process died now.
    func asLeft() throws -> SpoolScene {
        let scene = SpoolScene()
        try FileManager.default.copyItem(at: place, to: scene.place)
        return scene
    }

    /// The oldest session that was recorded for a server that has never answered.
    func oldest(for address: String = "http://127.0.0.1:9/") throws -> SessionFolder {
        let server = SessionServer(try #require(Address(address)))
        return try #require(folder.left(except: [], for: server))
    }

    /// The names of the sessions, or of the items in a folder.
    func names(in name: String = "") -> [String] {
        let all = try? FileManager.default.contentsOfDirectory(atPath: place.appendingPathComponent(name).path)
        return (all ?? []).filter { $0 != "told" }.sorted()
    }

    var sessions: [String] { names().filter { $0 != "set-aside" } }

    /// A dead process's session, with notes of these numbers in each segment.
    func leave(
        _ session: String = "01JD3M8Q5R7V2X9B4N6T0KZYWE", _ segments: [ClosedRange<Int>], size: Int = 10,
        for server: SessionServer = SessionServer()
    ) throws {
        let header = Header(session: session, app: Header.App(id: "app"), started: "2026-01-01T00:00:00Z")
        let left = try folder.make(LinkState.SessionIdentity(header: header, key: "k", token: nil, server: server))
        let spool = Spool(left) { _ in }
        for segment in segments {
            for seq in segment { spool.append(Self.note(seq, size: size)) }
            spool.cut()
        }
    }

    static func note(_ seq: Int, size: Int = 10) -> EventLine {
        EventLine(
            seq: seq, at: Double(seq), kind: .note, members: [("text", .string(String(repeating: "x", count: size)))])
    }

    /// Changes a file's bytes.
    func change(_ path: String, _ body: (inout [UInt8]) -> Void) throws {
        let file = place.appendingPathComponent(path)
        var bytes = Array(try Data(contentsOf: file))
        body(&bytes)
        try Data(bytes).write(to: file)
    }
}
