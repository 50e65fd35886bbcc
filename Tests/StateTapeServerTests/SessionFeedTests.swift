import Logging
import TapeFormat
import TapeSockets
import Testing

@testable import StateTapeServer

@Suite("Updates of the session list", .timeLimit(.minutes(1)))
struct SessionFeedTests {
    private struct Unreadable: Error {}

    @Test("A summary that can't be read is read again later")
    func unreadable() async throws {
        let loop = try EventLoop()
        defer { loop.stop() }
        let workers = Workers()
        let fanOut = FanOut()
        let viewer = Viewer(
            fanOut, Viewer.Hooks(next: { _, _ in }, sendSummaries: { _ in }), of: .all, loop: loop,
            timeout: .seconds(60))
        fanOut.watchSessions(viewer)
        let reads = Locked(0)
        await withCheckedContinuation { again in
            let feed = SessionFeed(
                loop: loop, workers: workers, fanOut: fanOut, retry: .milliseconds(1),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, tell: { _ in }
            ) { _ in
                let count = reads.withLock { reads in
                    reads += 1
                    return reads
                }
                if count == 1 { throw Unreadable() }
                if count == 2 { again.resume() }
                return nil
            }
            feed.changed(["one"])
        }
    }
}
