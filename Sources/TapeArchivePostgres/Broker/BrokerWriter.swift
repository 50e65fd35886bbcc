import Foundation
import Logging
import TapeArchive
import TapeFormat

/// Writes what a server tells the others, on a thread and a connection of its own.
final class BrokerWriter {
    private let broker: PostgresBroker
    private var connection: PostgresConnection?
    private var connectedAt = ContinuousClock.now
    /// The number of the last news that are known to be stored.
    private var number = 0
    private var toldAt: ContinuousClock.Instant?
    private var nextBeat = ContinuousClock.now
    /// Since when every beat came in time. Before that, other servers may take this one for dead.
    private var steadySince: ContinuousClock.Instant?
    private var nextMaintenance = ContinuousClock.now
    /// Whether this server has the lock of the server that does the work for all.
    private var hasLeadership = false
    /// By owner: rows of apps that this server doesn't hold, and since when.
    private var unheld: [String: (app: HeldApp, since: ContinuousClock.Instant)] = [:]

    /// News are kept for so long, in seconds. A server that was away for longer reads everything again.
    private static let kept = 30

    init(_ broker: PostgresBroker) {
        self.broker = broker
    }

    func run() {
        while wait() {
            do {
                try turn()
                broker.state.withLock { $0.isReachable = true }
            } catch {
                // What was taken is put back by `turn`. The archive's own connection says why to whoever asks.
                broker.logger.debug("Other servers can't be told: \(error)")
                // A connection that was cut is replaced at once, one that fails again and again later.
                let wasGood = connection != nil && .now - connectedAt > broker.timing.reconnect
                connection = nil
                steadySince = nil
                hasLeadership = false
                broker.state.withLock { ($0.isLeader, $0.isReachable) = (false, false) }
                if !wasGood { pause(until: .now + broker.timing.reconnect) }
            }
        }
        try? leave()
    }

    /// Waits until there is something to do.
    ///
    /// - Returns: False once the broker stops.
    private func wait() -> Bool {
        while true {
            let (isStopped, isIdle) = broker.state.withLock { ($0.isStopped, $0.news.isEmpty) }
            if isStopped { return false }
            // News that come shortly after others wait, so that one message has many.
            let told = toldAt.map { $0 + broker.timing.wake } ?? .now
            let due = isIdle ? nextBeat : min(told, nextBeat)
            if due <= .now { return true }
            broker.hasNews.wait(for: -1, due - .now)
        }
    }

    private func pause(until end: ContinuousClock.Instant) {
        while end > .now, !broker.state.withLock(\.isStopped) { broker.hasNews.wait(for: -1, end - .now) }
    }

    private func turn() throws {
        let connection = try connection ?? connect()
        if nextBeat <= .now { try beat(connection) }
        try tell(connection)
    }

    private func connect() throws -> PostgresConnection {
        let made = try broker.archive.connect()
        // A crash of the database may lose news; readers notice the missing numbers.
        try made.runScript("SET synchronous_commit = off; SET statement_timeout = '10s'")
        let last = try made.run(
            "SELECT coalesce(max(number), 0) AS last FROM news WHERE server = $1", .text(broker.server))
        number = max(number, try last[0].int("last"))
        (connection, connectedAt) = (made, .now)
        nextBeat = .now
        return made
    }

    // MARK: News

    /// Writes what there is to tell in one transaction, and wakes the other servers.
    private func tell(_ connection: PostgresConnection) throws {
        let (news, asked, answers) = broker.state.withLock { state in
            defer { (state.news, state.asked, state.answers) = (PeerNotice(), [], []) }
            return (state.news, state.asked, state.answers)
        }
        guard !news.isEmpty else { return }
        do {
            try write(news, asked, answers, connection)
        } catch {
            broker.state.withLock { state in
                state.news.merge(news)
                state.asked = asked + state.asked
                state.answers = answers + state.answers
            }
            throw error
        }
        toldAt = .now
    }

    private func write(
        _ news: PeerNotice, _ asked: [(id: String, server: String, request: PassedRequest)],
        _ answers: [(id: String, answer: PassedAnswer)], _ connection: PostgresConnection
    ) throws {
        var news = news
        var statements = [PostgresStatement("BEGIN")]
        let touched = news.changed
        let held = touched.isEmpty ? [] : broker.receiver.withLock { $0 }?.held(touched) ?? []
        statements += apps(held, touched: touched, &news)
        for (id, server, request) in asked {
            // A client that was told that no answer came may have asked again.
            guard let until = broker.state.withLock({ $0.waiting[id]?.until }), until > .now else { continue }
            statements.append(
                PostgresStatement(
                    """
                    INSERT INTO request (id, server, method, path, body, expires)
                    VALUES ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(secs => $6))
                    ON CONFLICT (id) DO NOTHING
                    """, .text(id), .text(server), .text(request.method), .utf8(request.path),
                    .bytes(request.body), .double((until - .now) / .seconds(1))))
        }
        for (id, answer) in answers {
            statements.append(
                PostgresStatement(
                    "UPDATE request SET status = $2, type = $3, answer = $4 WHERE id = $1", .text(id),
                    .int(answer.status), .text(answer.type), .bytes(answer.body)))
        }
        statements += announce(news) + [PostgresStatement("COMMIT")]
        do {
            _ = try connection.run(statements)
        } catch {
            if !connection.isLost { try? connection.runScript("ROLLBACK") }
            throw error
        }
        number += 1
        broker.state.withLock { state in
            state.counts.sent += 1
            for session in touched { state.written[session] = nil }
            for app in held { state.written[app.session] = app }
        }
    }

    private func announce(_ news: PeerNotice) -> [PostgresStatement] {
        [
            PostgresStatement(
                "INSERT INTO news (server, number, body) VALUES ($1, $2, $3)", .text(broker.server),
                .int(number + 1), .utf8(news.json.text)),
            PostgresStatement(
                "SELECT pg_notify($1, $2)", .text(broker.archive.channel), .text(broker.server)),
        ]
    }

    /// Writes the apps of these sessions that changed.
    private func apps(_ held: [HeldApp], touched: Set<String>, _ news: inout PeerNotice) -> [PostgresStatement] {
        let written = broker.state.withLock { $0.written }
        let now = Dictionary(held.map { ($0.session, $0) }, uniquingKeysWith: { $1 })
        let differing = touched.filter { now[$0] != written[$0] }
        guard !differing.isEmpty else { return [] }
        news.apps.formUnion(differing)
        let gone = differing.compactMap { now[$0] == nil ? written[$0] : nil }
        return [
            AppRows.write(differing.compactMap { now[$0] }, broker.server),
            AppRows.remove(gone, broker.server),
        ]
    }

    // MARK: Life

    /// Says that this server is alive, and which apps it holds.
    private func beat(_ connection: PostgresConnection) throws {
        nextBeat = .now + broker.timing.beat
        let receiver = broker.receiver.withLock { $0 }
        let held = receiver?.held(nil) ?? []
        // A connection that has just got its session has its row before it counts as held.
        for app in held { unheld[app.owner] = nil }
        let gone = unheld.values.filter { .now - $0.since >= broker.timing.lease }.map(\.app)
        let results = try connection.run([
            PostgresStatement(
                """
                INSERT INTO server (id, seen, told) VALUES ($1, clock_timestamp(), $2)
                ON CONFLICT (id) DO UPDATE SET seen = clock_timestamp(), told = excluded.told
                """, .text(broker.server), .int(number)),
            AppRows.write(held, broker.server),
            AppRows.remove(gone, broker.server),
            AppRows.others(held, broker.server),
            AppRows.lost(held),
            PostgresStatement(
                "DELETE FROM news WHERE server = $1 AND at < clock_timestamp() - make_interval(secs => $2)",
                .text(broker.server), .double(Double(Self.kept))),
        ])
        let others = try results[3].map {
            let (row, owner) = (try $0.int64("session"), try $0.text("owner"))
            return HeldApp(session: "", row: row, owner: owner, attempt: nil, status: nil)
        }
        unheld = Dictionary(others.map { ($0.owner, unheld[$0.owner] ?? ($0, .now)) }, uniquingKeysWith: { $1 })
        broker.state.withLock { state in
            state.written = Dictionary(held.map { ($0.session, $0) }, uniquingKeysWith: { $1 })
        }
        let bySession = Dictionary(held.map { ($0.session, $0) }, uniquingKeysWith: { $1 })
        for row in results[4] {
            guard let app = bySession[try row.text("session")] else { continue }
            receiver?.received(try row.bool("deleted") ? .deleted([app.session]) : .moved(app))
        }
        steadySince = steadySince ?? .now
        try lead(connection, receiver)
    }

    /// Whichever server has the lock does the work.
    private func lead(_ connection: PostgresConnection, _ receiver: (any BrokerReceiver)?) throws {
        if !hasLeadership {
            let lock = "SELECT pg_try_advisory_lock(\(PostgresSchema.leaderLockClass), hashtext($1)) AS done"
            hasLeadership = try connection.run(lock, .text(broker.archive.schema))[0].bool("done")
            if !hasLeadership { try endHaltedLeader(connection) }
        }
        // Right after an interruption of the database all servers seem dead to each other.
        let isSteady = steadySince.map { .now - $0 >= broker.timing.lease } ?? false
        broker.state.withLock { $0.isLeader = hasLeadership && isSteady }
        guard broker.isLeader, nextMaintenance <= .now else { return }
        nextMaintenance = .now + broker.timing.maintenance
        let old = PostgresValue.double(60)
        _ = try connection.run([
            PostgresStatement(
                "DELETE FROM server WHERE seen < clock_timestamp() - make_interval(secs => $1)", old),
            PostgresStatement(
                "DELETE FROM app WHERE server NOT IN (SELECT v.id FROM server v WHERE \(AppRows.isAlive("v", lease: 1)))",
                .double(broker.timing.lease / .seconds(1))),
            PostgresStatement(
                """
                DELETE FROM news WHERE at < clock_timestamp() - make_interval(secs => $1)
                    AND server NOT IN (SELECT id FROM server)
                """, old),
            PostgresStatement(
                "DELETE FROM request WHERE expires < clock_timestamp() - make_interval(secs => $1)", old),
        ])
        receiver?.received(.maintain)
    }

    /// A halted server keeps its connection and with it the lock, which this server may get with its next beat.
    private func endHaltedLeader(_ connection: PostgresConnection) throws {
        try connection.run(
            """
            SELECT pg_terminate_backend(a.pid) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
            WHERE l.locktype = 'advisory' AND l.database = a.datid AND a.datname = current_database()
                AND l.classid = \(PostgresSchema.leaderLockClass)::oid AND l.objid = hashtext($1)::oid
                AND a.state <> 'active' AND a.state_change < clock_timestamp() - make_interval(secs => $2)
            """, .text(broker.archive.schema), .double(broker.timing.lease / .seconds(1)))
    }

    /// Says that this server and its apps are gone.
    private func leave() throws {
        guard let connection else { return }
        try tell(connection)
        var news = PeerNotice()
        news.apps.formUnion(broker.state.withLock { $0.written.keys })
        _ = try connection.run(
            [
                PostgresStatement("BEGIN"),
                PostgresStatement("DELETE FROM app WHERE server = $1", .text(broker.server)),
                PostgresStatement("DELETE FROM server WHERE id = $1", .text(broker.server)),
            ] + announce(news) + [PostgresStatement("COMMIT")])
        self.connection = nil
    }
}
