import Foundation
import Logging
import TapeArchive
import TapeFormat

/// Reads what other servers tell, on a thread and a connection of its own: when the database wakes it, and at
/// intervals. While it can't listen, it reads more often.
final class BrokerReader {
    private let broker: PostgresBroker
    private var connection: PostgresConnection?
    private var making: ConnectionMaking?
    private var nextMaking = ContinuousClock.now
    /// By server: the number of the last news that were read.
    private var read: [String: Int]
    private var nextRefresh = ContinuousClock.now

    init(_ broker: PostgresBroker) {
        self.broker = broker
        read = broker.firstNumbers
    }

    private var isStopped: Bool { broker.state.withLock(\.isStopped) }

    func run() {
        while !isStopped {
            do {
                if let connection = try connection ?? replaced() { try listen(connection) } else { try poll() }
            } catch {
                broker.logger.debug("Other servers can't be heard: \(error)")
                connection = nil
                broker.state.withLock { $0.counts.isListening = false }
            }
        }
    }

    /// The connection that is made meanwhile, once it is there. A busy database takes its time for a new one.
    private func replaced() throws -> PostgresConnection? {
        guard let making else {
            if nextMaking <= .now {
                nextMaking = .now + broker.timing.reconnect
                making = ConnectionMaking(broker)
            }
            return nil
        }
        guard let result = making.result else { return nil }
        self.making = nil
        guard case .success(let (made, isListening)) = result else { return nil }
        connection = made
        broker.state.withLock { $0.counts.isListening = isListening }
        // What comes from now on wakes this thread; what came before is read here.
        try readAll(made)
        nextRefresh = .now
        return made
    }

    /// Reads news through the archive's connections.
    private func poll() throws {
        defer {
            // A connection that was refused is not waited for again.
            if let making, making.result == nil {
                making.wait(atMost: broker.timing.poll)
            } else {
                broker.wakeUp.wait(for: -1, broker.timing.poll)
            }
        }
        broker.state.withLock { $0.counts.polls += 1 }
        try broker.archive.read(readAll)
    }

    /// Waits for news once, and reads them.
    private func listen(_ connection: PostgresConnection) throws {
        if nextRefresh <= .now {
            nextRefresh = .now + broker.timing.beat
            try refresh(nil, connection)
        }
        let isListening = broker.counts.isListening
        let senders = try connection.notified(
            within: isListening ? broker.timing.beat : broker.timing.poll, or: broker.wakeUp)
        if isStopped { return }
        if senders.isEmpty {
            broker.state.withLock { $0.counts.polls += 1 }
            try readAll(connection)
        } else {
            for sender in senders.subtracting([broker.server]).sorted() {
                try read(from: sender, told: 0, connection)
            }
        }
    }

    private func readAll(_ connection: PostgresConnection) throws {
        // A server that has left is known by its last news only. Their senders are found one after the other in the
        // index, without reading all news.
        let rows = try connection.run(
            """
            WITH RECURSIVE sender AS (
                SELECT min(server) AS id FROM news
                UNION ALL
                SELECT (SELECT min(server) FROM news WHERE server > id) FROM sender WHERE id IS NOT NULL)
            SELECT id, max(told) AS told FROM (SELECT id, told FROM server UNION ALL SELECT id, 0 FROM sender) s
            WHERE id <> $1 GROUP BY id ORDER BY id
            """, .text(broker.server))
        let servers = try rows.map { (id: try $0.text("id"), told: try $0.int("told")) }
        for (server, told) in servers { try read(from: server, told: told, connection) }
        let known = Set(servers.map(\.id))
        broker.state.withLock { state in state.counts.lags = state.counts.lags.filter { known.contains($0.key) } }
        // Asked here too, in case that a request's news are lost.
        try answerRequests(connection)
    }

    /// Reads a server's news.
    ///
    /// - Parameter told: It has told at least so many.
    private func read(from server: String, told: Int, _ connection: PostgresConnection) throws {
        let last = read[server] ?? 0
        let rows = try connection.run(
            """
            SELECT number, body, extract(epoch FROM clock_timestamp() - at)::double precision AS age FROM news
            WHERE server = $1 AND number > $2 ORDER BY number
            """, .text(server), .int(last))
        guard let first = rows.first, let newest = rows.last else {
            // Deleted, or lost in a crash of the database.
            if told > last { try miss(server, told, connection) }
            return
        }
        var news = PeerNotice()
        for row in rows { news.merge(PeerNotice((try? JSON(parsing: row.text("body"))) ?? .null)) }
        let numbers = (first: try first.int("number"), last: try newest.int("number"))
        let age = try newest.double("age")
        broker.state.withLock { state in
            state.counts.received += rows.count
            state.counts.lags[server] = max(0, age)
        }
        let isComplete = numbers.first - 1 == last
        try handle(news, connection)
        // Only now: if it failed, the same news are read again.
        if isComplete { read[server] = numbers.last } else { try miss(server, numbers.last, connection) }
    }

    /// News of a server up to a number can't be read any more.
    private func miss(_ server: String, _ number: Int, _ connection: PostgresConnection) throws {
        try refresh(nil, connection)
        broker.receiver.withLock { $0 }?.received(.missed)
        read[server] = number
    }

    private func handle(_ news: PeerNotice, _ connection: PostgresConnection) throws {
        guard let receiver = broker.receiver.withLock({ $0 }) else { return }
        if news.requests.contains(broker.server) { try answerRequests(connection) }
        let answered = broker.state.withLock { state in news.answers.filter { state.waiting[$0] != nil } }
        if !answered.isEmpty { broker.arrived(try answers(answered, connection)) }
        if !news.apps.isEmpty { try refresh(news.apps, connection) }
        if !news.committed.isEmpty { receiver.received(.committed(news.committed)) }
        let changed = news.changed.union(news.committed)
        if !changed.isEmpty { receiver.received(.changed(changed)) }
        if !news.deleted.isEmpty { receiver.received(.deleted(news.deleted)) }
        if news.runs { receiver.received(.runsChanged) }
        for (session, stores) in news.wanted {
            for store in stores { receiver.received(.wanted(session: session, store: store)) }
        }
    }

    /// Reads which apps other servers hold.
    private func refresh(_ sessions: Set<String>?, _ connection: PostgresConnection) throws {
        let receiver = broker.receiver.withLock { $0 }
        // Before the query, so that an app that connects here meanwhile isn't taken for one that has left.
        let held = receiver?.held(sessions) ?? []
        let find = AppRows.find(sessions, except: broker.server, lease: broker.timing.lease)
        let found = try AppRows.apps(connection.run([find])[0])
        let changed = broker.apps.replace(sessions, by: found)
        if !changed.isEmpty {
            receiver?.received(.changed(changed))
            // A server that died may not have told of its last events.
            receiver?.received(.committed(changed))
        }
        for app in held where found[app.session] != nil { receiver?.received(.moved(app)) }
    }

    // MARK: Requests

    /// Takes the requests to this server; each is taken once.
    private func answerRequests(_ connection: PostgresConnection) throws {
        let take = PostgresStatement(
            """
            UPDATE request SET taken = true WHERE id IN (
                SELECT id FROM request WHERE server = $1 AND NOT taken AND expires > clock_timestamp()
                FOR UPDATE SKIP LOCKED)
            RETURNING id, method, path, body
            """, .text(broker.server))
        let rows = try write(take, connection)
        guard let receiver = broker.receiver.withLock({ $0 }) else { return }
        for row in rows {
            let id = try row.text("id")
            let request = PassedRequest(
                method: try row.text("method"), path: try row.text("path"), body: try row.bytes("body"))
            receiver.received(.request(request) { [broker] in broker.answer(id, $0) })
        }
    }

    private func answers(_ ids: Set<String>, _ connection: PostgresConnection) throws -> [String: PassedAnswer] {
        let take = PostgresStatement(
            "DELETE FROM request WHERE id = ANY($1) AND status IS NOT NULL RETURNING id, status, type, answer",
            .texts(Array(ids)))
        let rows = try write(take, connection)
        return try rows.reduce(into: [:]) { answers, row in
            answers[try row.text("id")] = PassedAnswer(
                status: try row.int("status"), type: try row.optionalText("type"), body: try row.bytes("answer"))
        }
    }

    /// Runs a statement that writes. The archive's connections for reading begin each transaction read-only.
    private func write(_ statement: PostgresStatement, _ connection: PostgresConnection) throws -> PostgresRows {
        try connection.run([PostgresStatement("BEGIN READ WRITE"), statement, PostgresStatement("COMMIT")])[1]
    }
}
