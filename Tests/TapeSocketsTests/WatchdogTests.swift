import Foundation
import TapeFormat
import Testing

@testable import TapeSockets

@Suite("Watchdog", .timeLimit(.minutes(1)))
struct WatchdogTests {
    @Test("A hung loop ends the process with a message")
    func hung() async throws {
        let result = await #expect(processExitsWith: .exitCode(70), observing: [\.standardErrorContent]) {
            let loop = try EventLoop()
            let watchdog = Watchdog(of: loop, limit: .milliseconds(300))
            // If the watchdog fails, this signal ends the process, and the exit code is another one.
            alarm(50)
            loop.execute { while true { pause() } }
            await loop.caughtUp()
            watchdog.stop()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("statetape: The event loop hung for 0.3 seconds"), "\(text)")
    }

    @Test("A process that was suspended for longer than the limit continues")
    func stopped() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let loop = try EventLoop()
            let watchdog = Watchdog(of: loop, limit: .seconds(1))
            let alarm = Process()
            alarm.executableURL = URL(fileURLWithPath: "/bin/sh")
            // Twice the limit. Several times: the first one may arrive before the stop.
            alarm.arguments = ["-c", "while sleep 2; do kill -CONT \(getpid()) || exit; done"]
            try alarm.run()
            kill(getpid(), SIGSTOP)
            // As long as would have ended the process, by the loop's own clock.
            for _ in 0..<3 { await loop.passed(.seconds(1)) }
            watchdog.stop()
            loop.stop()
            alarm.terminate()
            exit(7)
        }
    }

    @Test("An idle loop and an ended loop don't end the process")
    func idle() async throws {
        let hung = Locked(0)
        let loop = try EventLoop()
        let watchdog = Watchdog(of: loop, limit: .milliseconds(500)) { _ in hung.withLock { $0 += 1 } }
        // Longer than the limit, by the loop's own clock.
        await loop.passed(.milliseconds(1_500))
        loop.stop()
        #expect(hung.withLock { $0 } == 0)
        watchdog.stop()
    }
}
