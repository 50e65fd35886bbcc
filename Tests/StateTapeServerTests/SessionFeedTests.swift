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
        await withCheckedContinuation { again in
            loop.execute {
                let fanOut = FanOut()
                let viewer = Viewer(fanOut, TestViewerSource(), of: .all, loop: loop, timeout: .seconds(60))
                fanOut.watchSessions(viewer)
                let feed = SessionFeed(
                    SecondTry { again.resume() }, loop: loop, workers: workers, fanOut: fanOut,
                    retry: .milliseconds(1), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
                feed.show(["one"])
            }
        }
    }

    /// Can't be read at first, and calls back at the second try.
    private struct SecondTry: Summaries {
        let again: @Sendable () -> Void
        private let reads = Locked(0)

        init(_ again: @escaping @Sendable () -> Void) { self.again = again }

        func summary(of session: String) throws -> JSON? {
            let count = reads.withLock { reads in
                reads += 1
                return reads
            }
            if count == 1 { throw Unreadable() }
            if count == 2 { again() }
            return nil
        }
    }
}
