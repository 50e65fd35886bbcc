import Foundation
import TapeFormat
import Testing

@testable import TapeSockets

@Suite("EventLibrary", .timeLimit(.minutes(1)))
struct EventLibraryTests {
    @Test("A loop uses poll unless libuv is requested")
    func library() throws {
        let (few, many) = (try EventLoop(), try EventLoop(.libuv))
        #expect(few.library == .poll && many.library == .libuv)
        few.stop()
        many.stop()
    }

    @Test("A loop that stops with many open connections closes them and all its resources", arguments: [false, true])
    func freed(stopsItself: Bool) async throws {
        let rounds = 20
        let before = try Self.descriptors()
        for _ in 0..<rounds {
            let loop = try EventLoop(.libuv)
            let listener = try Listener(on: loop, host: "127.0.0.1", port: 0, service: TestService.echo())
            let sockets = try (0..<30).map { _ in try RawSocket(port: listener.port) }
            // The loop has surely accepted one; the others may still be on their way.
            for socket in sockets { socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
            _ = sockets[29].head()
            if stopsItself { loop.execute { loop.stop() } }
            loop.stop()
            for socket in sockets { while !socket.receive().isEmpty {} }
        }
        #expect(try Self.descriptors() - before < rounds)
    }

    @Test(
        "A loop that ends closes no file that another thread opens meanwhile", arguments: [EventLibrary.poll, .libuv])
    func others(library: EventLibrary) throws {
        let (rounds, lost) = (Locked(200), Locked(0))
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            // Each descriptor has the lowest free number, most often the one that was freed last.
            while rounds.withLock({ $0 > 0 }) {
                if !Self.keepsFile() { lost.withLock { $0 += 1 } }
            }
            isDone.signal()
        }
        while rounds.withLock({ $0 > 0 }) {
            try EventLoop(library).stop()
            rounds.withLock { $0 -= 1 }
        }
        isDone.wait()
        #expect(lost.withLock { $0 } == 0)
    }

    @Test(
        "After a listener stops accepting, it refuses connections, and its port is free",
        arguments: [EventLibrary.poll, .libuv])
    func stoppedAccepting(library: EventLibrary) throws {
        let loop = try EventLoop(library)
        defer { loop.stop() }
        let listener = try Listener(on: loop, host: "127.0.0.1", port: 0, service: TestService.echo())
        listener.stopAccepting()
        #expect(throws: POSIXError.self) { try RawSocket(port: listener.port) }
        let next = try Listener(on: loop, host: "127.0.0.1", port: listener.port, service: TestService.echo())
        #expect(next.port == listener.port)
    }

    @Test("A loop on libuv opens no client connections")
    func clients() async throws {
        try await listening(.echo()) { listener, loop in
            let recorder = RecordingHandler()
            Client.connect(on: loop, to: "ws://127.0.0.1:\(listener.port)/", subprotocol: "test.v1", handler: recorder)
            try await #expect(recorder.closing().reason == "an event loop on libuv can't open client connections")
        }
    }

    private static func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    /// Whether a file that is opened now is the same a moment later.
    private static func keepsFile() -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var (opened, later) = (stat(), stat())
        fstat(descriptor, &opened)
        for _ in 0..<20 { sched_yield() }
        guard fstat(descriptor, &later) == 0, later.st_ino == opened.st_ino else { return false }
        close(descriptor)
        return true
    }
}
