import Foundation
package import Logging
package import TapeArchive
import TapeFormat

/// The broker of servers that share a PostgreSQL database.
///
/// One thread writes: news, requests, and that this server is alive. Another one listens and reads what others have
/// written. What they write is never part of a commit of events: a commit that notifies takes a lock that all commits
/// of the database share.
package final class PostgresBroker: Broker {
    struct State {
        var news = PeerNotice()
        /// Requests to other servers that are not written yet, and answers to requests of others.
        var asked: [(id: String, server: String, request: PassedRequest)] = []
        var answers: [(id: String, answer: PassedAnswer)] = []
        /// The requests to other servers that have no answer yet.
        var waiting: [String: Waiting] = [:]
        /// How the apps of this server were last written.
        var written: [String: HeldApp] = [:]
        var counts = BrokerCounts()
        var isLeader = false
        var isReachable = true
        var isStopped = false
    }

    struct Waiting {
        let then: @Sendable (PassedAnswer?) -> Void
        let until: ContinuousClock.Instant
    }

    let archive: PostgresArchive
    let timing: PeerTiming
    let logger: Logger
    package let apps = RemoteApps()
    let state = Locked(State())
    let receiver = Locked<(any BrokerReceiver)?>(nil)
    /// Wakes the writing thread.
    let hasNews: WakeUp
    /// Wakes the reading thread.
    let wakeUp: WakeUp
    /// By server: the number of its last news before this server began. What this server has read later is newer.
    let firstNumbers: [String: Int]
    private let threads = DispatchGroup()
    /// The threads that connect.
    let connecting = DispatchGroup()

    var server: String { archive.server }
    package var isLeader: Bool { state.withLock { $0.isLeader } }
    package var isReachable: Bool { state.withLock { $0.isReachable } }
    package var counts: BrokerCounts { state.withLock { $0.counts } }

    /// - Throws: ``ServerError`` if the database can't be read, or the system has no pipe left.
    package init(_ archive: PostgresArchive, timing: PeerTiming, logger: Logger) throws(ServerError) {
        self.archive = archive
        self.timing = timing
        self.logger = logger
        (hasNews, wakeUp) = (try WakeUp(), try WakeUp())
        do {
            // Those of a server that has told nothing for long are deleted.
            let sql = """
                SELECT server, max(number) AS last
                FROM (SELECT server, number FROM news UNION ALL SELECT id, told FROM server) n GROUP BY server
                """
            let rows = try archive.read { try $0.run(sql) }
            firstNumbers = try rows.reduce(into: [:]) { $0[try $1.text("server")] = try $1.int("last") }
        } catch {
            throw ServerError(.archive, "The archive \(archive.address) can't be read: \(error).")
        }
    }

    package func begin(_ receiver: any BrokerReceiver) {
        self.receiver.withLock { $0 = receiver }
        run("statetape.tell") { BrokerWriter($0).run() }
        run("statetape.listen") { BrokerReader($0).run() }
    }

    private func run(_ name: String, _ body: @escaping @Sendable (PostgresBroker) -> Void) {
        threads.enter()
        let thread = Thread { [self] in
            body(self)
            threads.leave()
        }
        thread.name = name
        // The parser recurses as deep as JSON may be nested.
        thread.stackSize = 8 << 20
        thread.start()
    }

    package func tell(_ news: PeerNotice) {
        change { $0.news.merge(news) }
    }

    package func holder(of session: Session) throws -> String? {
        if let known = apps.server(of: session.id) { return known }
        return try archive.holder(of: session.row, lease: timing.lease)
    }

    package func pass(_ request: PassedRequest, to server: String, then: @escaping @Sendable (PassedAnswer?) -> Void) {
        let id = RandomName.make()
        let isStopped = change { state in
            if state.isStopped { return true }
            state.asked.append((id, server, request))
            state.waiting[id] = Waiting(then: then, until: .now + timing.pass)
            state.news.requests.insert(server)
            state.counts.passed += 1
            return false
        }
        guard !isStopped else { return then(nil) }
        // Neither on the writing nor on the reading thread: a database that hangs halts both.
        DispatchQueue.global().asyncAfter(deadline: .now() + timing.pass / .seconds(1)) { [weak self] in
            self?.expire([id])
        }
    }

    func answer(_ id: String, _ answer: PassedAnswer) {
        change { state in
            state.answers.append((id, answer))
            state.news.answers.insert(id)
            state.counts.answered += 1
        }
    }

    /// Ends the requests whose answers have come.
    func arrived(_ answers: [String: PassedAnswer]) {
        let ended = state.withLock { state in answers.map { (state.waiting.removeValue(forKey: $0), $1) } }
        for (waiting, answer) in ended { waiting?.then(answer) }
    }

    /// Ends requests without an answer.
    private func expire(_ ids: Set<String>) {
        let ended = state.withLock { state in
            let ended = ids.compactMap { state.waiting.removeValue(forKey: $0) }
            state.asked.removeAll { ids.contains($0.id) }
            state.counts.unanswered += ended.count
            return ended
        }
        for waiting in ended { waiting.then(nil) }
    }

    @discardableResult
    private func change<Value>(_ body: (inout State) -> Value) -> Value {
        let (value, isNew) = state.withLock { state in
            let wasIdle = state.news.isEmpty
            return (body(&state), wasIdle || state.isStopped)
        }
        // The thread that waits to tell earlier news finds these too.
        if isNew { hasNews.signal() }
        return value
    }

    package func stop() {
        change { $0.isStopped = true }
        wakeUp.signal()
        threads.wait()
        // A library that a thread still uses must not be torn down by the end of the process. A database that doesn't
        // answer isn't waited for.
        _ = connecting.wait(timeout: .now() + 3)
        expire(state.withLock { Set($0.waiting.keys) })
        receiver.withLock { $0 = nil }
    }
}
