import Dispatch
import TapeFormat
import Testing

@testable import TapeSockets

@Suite("Waking the loop", .timeLimit(.minutes(1)))
struct WakeTests {
    @Test("A body queued by a timer runs at once, not at the loop's next event")
    func timer() async throws {
        let loop = try EventLoop()
        defer { loop.stop() }
        let first = await withCheckedContinuation { answer in
            let isAnswered = Locked(false)
            let tell: @Sendable (String) -> Void = { name in
                let isFirst = isAnswered.withLock { isAnswered in
                    defer { isAnswered = true }
                    return !isAnswered
                }
                if isFirst { answer.resume(returning: name) }
            }
            // On another thread, so that this causes no event in the loop.
            DispatchQueue.global().asyncAfter(deadline: .now() + 5) { tell("not within five seconds") }
            loop.schedule(after: .milliseconds(1)) { loop.execute { tell("at once") } }
        }
        #expect(first == "at once")
    }
}
