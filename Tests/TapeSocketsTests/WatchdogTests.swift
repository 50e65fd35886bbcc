import Foundation
import Testing

@testable import TapeSockets

@Suite("Watchdog", .timeLimit(.minutes(1)))
struct WatchdogTests {
    @Test("A loop that no longer turns ends the process with a message")
    func hung() async throws {
        let result = await #expect(processExitsWith: .exitCode(70), observing: [\.standardErrorContent]) {
            let loop = try EventLoop()
            let watchdog = Watchdog(of: loop, limit: .milliseconds(300))
            loop.execute { while true { sleep(1) } }
            try await Task.sleep(for: .seconds(50))
            watchdog.stop()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("statetape: The event loop has not turned for 0.3 seconds"), "\(text)")
    }

    @Test("A process that stood still as a whole, for longer than the limit, goes on")
    func stopped() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let loop = try EventLoop()
            let watchdog = Watchdog(of: loop, limit: .milliseconds(300))
            let alarm = Process()
            alarm.executableURL = URL(fileURLWithPath: "/bin/sh")
            alarm.arguments = ["-c", "sleep 1; kill -CONT \(getpid())"]
            try alarm.run()
            kill(getpid(), SIGSTOP)
            // As often as would have ended it.
            for _ in 0..<3 {
                await loop.caughtUp()
                try await Task.sleep(for: .milliseconds(300))
            }
            watchdog.stop()
            loop.stop()
            exit(7)
        }
    }

    @Test("A loop that has nothing to do, and one that has ended, are left alone")
    func idle() async throws {
        let hung = Locked(0)
        let loop = try EventLoop()
        let watchdog = Watchdog(of: loop, limit: .milliseconds(20)) { _ in hung.withLock { $0 += 1 } }
        // Longer than the limit, by the loop's own clock.
        await withCheckedContinuation { continuation in
            loop.schedule(after: .milliseconds(300)) { continuation.resume() }
        }
        loop.stop()
        #expect(hung.withLock { $0 } == 0)
        watchdog.stop()
    }
}
