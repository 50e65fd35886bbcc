import Dispatch
import Foundation
import GRDB
import Logging
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive

@Suite(.timeLimit(.minutes(1))) struct CommitterTests {
    /// Records the results of its changes.
    private final class Client: Committer.Client {
        let outcomes = Locked<[(change: Change, outcome: Outcome)]>([])

        func committed(_ change: Change, _ outcome: Outcome) {
            outcomes.withLock { $0.append((change, outcome)) }
        }

        let failed = Locked<[Int]>([])

        func failed(_ change: Change, _ error: any Error) {
            if case .append(let batch) = change { failed.withLock { $0.append(batch.first) } }
        }

        var session: Session? {
            outcomes.withLock { outcomes in
                for case (_, .opened(let session)) in outcomes { return session }
                return nil
            }
        }

        /// The appended ranges, one per transaction.
        var appended: [Range<Int>] {
            outcomes.withLock { outcomes in
                outcomes.compactMap { change, outcome in
                    guard case .append(let batch) = change, case .appended = outcome else { return nil }
                    return batch.first..<batch.next
                }
            }
        }
    }

    private let folder = TemporaryFolder()
    private let archive: any Archive
    private let relieved = DispatchSemaphore(value: 0)
    private let committer: Committer
    private let client = Client()

    init() throws {
        archive = try Engine.chosen.open(folder.url, sync: .full)
        let relieved = relieved
        committer = Self.committer(archive, pace: .zero, relieved: { relieved.signal() })
    }

    private static func committer(
        _ archive: any Archive, pace: Duration, relieved: @escaping @Sendable () -> Void = {},
        later: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void = { _, _ in }
    ) -> Committer {
        Committer(
            archive, pace: pace, retry: .seconds(1), on: TestCommitHost(whenRelieved: relieved, whenLater: later),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func opened() async throws -> Session {
        _ = committer.add(.open(SessionOpening(header: Sample.header(), keyHash: [1], owner: "one")), client)
        await between {}
        return try #require(client.session)
    }

    /// Runs a task between two commits, after all changes that were added.
    private func between(on other: Committer? = nil, _ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            (other ?? committer).run {
                body()
                continuation.resume()
            }
        }
    }

    @Test("Changes that arrive during a commit are one transaction, with at most 4 096 events")
    func group() async throws {
        let session = try await opened()
        let (gate, client) = (DispatchSemaphore(value: 0), client)
        committer.run { gate.wait() }
        for line in Sample.counting(to: 5_000) {
            _ = committer.add(.append(Batch(session: session.row, owner: "one", lines: [line])), client)
        }
        gate.signal()
        await between {}
        #expect(client.appended == [0..<4_096, 4_096..<5_000])
        #expect(try archive.session(session.id)?.next == 5_000)
    }

    @Test("The committer reports when too many bytes are queued, and when half of them are committed")
    func pressure() async throws {
        let session = try await opened()
        let (gate, client) = (DispatchSemaphore(value: 0), client)
        committer.run { gate.wait() }
        let text = JSON.string(String(repeating: "x", count: 4 << 20))
        let isTaken = (0..<10).map { seq in
            let line = Sample.full(seq, text)
            return committer.add(.append(Batch(session: session.row, owner: "one", lines: [line])), client)
        }
        #expect(isTaken == [true, true, true, true, true, true, true, false, false, false])
        #expect(relieved.wait(timeout: .now()) == .timedOut)
        gate.signal()
        await between {}
        #expect(relieved.wait(timeout: .now()) == .success)
        #expect(relieved.wait(timeout: .now()) == .timedOut)
        #expect(client.appended.last?.upperBound == 10)
        // 8 MiB are the limit of one transaction.
        #expect(client.appended.count >= 5)
    }

    @Test("Each waiting owner's first change is committed first, and each owner's changes stay in order")
    func fairShare() async throws {
        let session = try await opened()
        let other = SessionOpening(header: Sample.header("SESSION-0001"), keyHash: [1], owner: "two")
        let small = Client()
        _ = committer.add(.open(other), small)
        await between {}
        let second = try #require(small.session)
        let (gate, client) = (DispatchSemaphore(value: 0), client)
        let order = Order(after: client)
        committer.run { gate.wait() }
        let text = JSON.string(String(repeating: "x", count: 1 << 20))
        for seq in 0..<24 {
            let batch = Batch(session: session.row, owner: "one", lines: [Sample.full(seq, text)])
            _ = committer.add(.append(batch), client)
        }
        let batch = Batch(session: second.row, owner: "two", lines: [Sample.start(0)])
        _ = committer.add(.append(batch), order)
        gate.signal()
        await between {}
        #expect(try #require(order.place.withLock { $0 }) <= 1, "in the first of four transactions")
        #expect(client.appended.map(\.lowerBound) == client.appended.map(\.lowerBound).sorted())
        #expect(client.appended.last?.upperBound == 24 && client.appended.count >= 3)
    }

    @Test("A quiet owner waits for one busy owner, not for all of them")
    func leastFirst() async throws {
        let much = Client()
        var sessions: [Session] = []
        for number in 0..<5 {
            let opener = Client()
            let header = Sample.header("SESSION-000\(number)")
            _ = committer.add(.open(SessionOpening(header: header, keyHash: [1], owner: "\(number)")), opener)
            await between {}
            sessions.append(try #require(opener.session))
        }
        let order = Order(after: much)
        let gate = DispatchSemaphore(value: 0)
        committer.run { gate.wait() }
        let text = JSON.string(String(repeating: "x", count: 3 << 20))
        for number in 0..<4 {
            let batch = Batch(session: sessions[number].row, owner: "\(number)", lines: [Sample.full(0, text)])
            _ = committer.add(.append(batch), much)
        }
        let little = Batch(session: sessions[4].row, owner: "4", lines: [Sample.start(0)])
        _ = committer.add(.append(little), order)
        gate.signal()
        await between {}
        #expect(try #require(order.place.withLock { $0 }) <= 1)
        #expect(much.appended.count == 4)
    }

    /// The number of another client's transactions before this client's change was committed.
    private final class Order: Committer.Client {
        let place = Locked<Int?>(nil)
        private let other: Client

        init(after other: Client) { self.other = other }

        func committed(_ change: Change, _ outcome: Outcome) {
            place.withLock { $0 = other.appended.count }
        }

        func failed(_ change: Change, _ error: any Error) {}
    }

    @Test("A change that always fails doesn't make others fail", .enabled(if: Engine.isSQLite))
    func atFault() async throws {
        let session = try await opened()
        let other = SessionOpening(header: Sample.header("SESSION-0001"), keyHash: [1], owner: "two")
        guard case .opened(let bad)? = try archive.commit([.open(other)], received: 0).first else {
            return #expect(Bool(false))
        }
        try await #require(archive as? SQLiteArchive).pool.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER fault BEFORE INSERT ON batch WHEN new.session = \(bad.row)
                    BEGIN SELECT RAISE(ABORT, 'no'); END
                    """)
        }
        let (gate, client) = (DispatchSemaphore(value: 0), client)
        committer.run { gate.wait() }
        for (row, owner, lines) in [
            (session.row, "one", Sample.counting(to: 2)), (bad.row, "two", Sample.counting(to: 1)),
        ] {
            _ = committer.add(.append(Batch(session: row, owner: owner, lines: lines)), client)
        }
        let more = Batch(session: session.row, owner: "one", lines: [Sample.count(2, to: 2)])
        _ = committer.add(.append(more), client)
        gate.signal()
        await between {}
        #expect(client.appended == [0..<2, 2..<3])
        #expect(client.failed.withLock { $0 } == [0])
        #expect(committer.failure == nil)
    }

    @Test("After a transaction of eight owners, the next one waits for more changes; after one of seven it doesn't")
    func paced() async throws {
        var sessions: [Session] = []
        for number in 0..<8 {
            let opening = SessionOpening(
                header: Sample.header("SESSION-000\(number)"), keyHash: [1], owner: "\(number)")
            guard case .opened(let session)? = try archive.commit([.open(opening)], received: 0).first else {
                return #expect(Bool(false))
            }
            sessions.append(session)
        }
        let (pauses, pause) = AsyncStream.makeStream(of: (Duration, @Sendable () -> Void).self)
        let paced = Self.committer(archive, pace: .seconds(3_600), later: { pause.yield(($0, $1)) })
        let (client, other) = (client, Client())
        /// The next event of each owner.
        var next = Array(repeating: 0, count: 8)
        func append(to number: Int) {
            let line = next[number] == 0 ? Sample.start(0) : Sample.count(next[number], to: 1)
            next[number] += 1
            let batch = Batch(session: sessions[number].row, owner: "\(number)", lines: [line])
            _ = paced.add(.append(batch), number == 0 ? client : other)
        }
        func appendTogether(to owners: Int) async {
            let gate = DispatchSemaphore(value: 0)
            paced.run { gate.wait() }
            for number in 0..<owners { append(to: number) }
            gate.signal()
            await between(on: paced) {}
        }
        await appendTogether(to: 7)
        append(to: 0)
        await between(on: paced) {}
        #expect(client.appended == [0..<1, 1..<2])

        await appendTogether(to: 8)
        append(to: 0)
        let (time, resume) = try #require(await pauses.first { _ in true })
        #expect(time > .seconds(3_000) && time <= .seconds(3_600))
        append(to: 0)
        append(to: 0)
        #expect(client.appended.last == 2..<3)
        paced.stop()
        #expect(client.appended.last == 3..<6)
        resume()
    }

    @Test("Stopping commits earlier changes, and accepts no more")
    func stop() async throws {
        let session = try await opened()
        _ = committer.add(.append(Batch(session: session.row, owner: "one", lines: [Sample.start(0)])), client)
        committer.stop()
        #expect(client.appended == [0..<1])
        let late = Batch(session: session.row, owner: "one", lines: [Sample.count(1, to: 1)])
        #expect(!committer.add(.append(late), client))
        committer.stop()
        #expect(try archive.session(session.id)?.next == 1)
    }
}
