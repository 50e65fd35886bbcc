import Dispatch
import Logging
import TapeArchive
import TapeFormat

/// Connections that any thread may borrow. A lost one is replaced.
final class PostgresPool: Sendable {
    private struct State {
        var idle: [PostgresConnection] = []
        var lent: [ObjectIdentifier: PostgresConnection] = [:]
        /// Callers that wait until a connection is given back.
        var waiting: [Reply<PostgresConnection>.Promise] = []
        var isClosed = false

        /// - Returns: Those who wait no longer, to be released outside the lock.
        mutating func giveBack(_ connection: PostgresConnection) -> [Reply<PostgresConnection>.Promise] {
            lent[ObjectIdentifier(connection)] = nil
            // A transaction that is still open has failed. A new connection is as cheap as asking.
            guard !isClosed, !connection.isLost, !connection.isInTransaction else {
                guard lent.isEmpty else { return [] }
                defer { waiting = [] }
                return waiting
            }
            // Some may have given up.
            let taker = waiting.firstIndex { $0.give(connection) }
            if taker == nil { idle.append(connection) }
            let served = Array(waiting.prefix(taker.map { $0 + 1 } ?? waiting.count))
            waiting.removeFirst(served.count)
            return served
        }
    }

    private let limit: Int
    private let longestWait: DispatchTimeInterval
    private let connect: @Sendable () throws -> PostgresConnection
    private let free: DispatchSemaphore
    private let state = Locked(State())

    /// - Parameters:
    ///   - limit: The most connections.
    ///   - longestWait: How long a caller waits for a connection while others use all of them.
    ///   - connect: Makes a connection that is ready for use.
    init(
        limit: Int, longestWait: DispatchTimeInterval = .seconds(30),
        connect: @escaping @Sendable () throws -> PostgresConnection
    ) {
        self.limit = limit
        self.longestWait = longestWait
        self.connect = connect
        free = DispatchSemaphore(value: limit)
    }

    /// Lends a connection. The body runs again on a new connection if the one that it got was lost: it must only read.
    ///
    /// - Throws: What the body throws, or ``PostgresError`` if no connection can be made.
    func read<Value>(_ body: (PostgresConnection) throws -> Value) throws -> Value {
        guard free.wait(timeout: .now() + longestWait) == .success else {
            throw PostgresError(
                state: "53300", message: "all \(limit) connections to the database were busy for 30 s")
        }
        defer { free.signal() }
        var isLent = false
        do {
            return try lend { connection in
                isLent = true
                return try body(connection)
            }
        } catch let error as PostgresError where error.isLost && isLent && !state.withLock(\.isClosed) {
            // The others were probably lost too. (If none can be made, they may be good.)
            dropIdle()
            return try lend(body)
        }
    }

    /// Ends the statements that run, and the connections.
    func close() {
        let lent = state.withLock { state in
            state.isClosed = true
            return Array(state.lent.values)
        }
        for connection in lent { connection.cancel() }
        // Wait until all are given back, so that none is in use when the process ends.
        for _ in 0..<limit { free.wait() }
        for _ in 0..<limit { free.signal() }
        dropIdle()
    }

    private func dropIdle() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        // Ended outside the lock: that takes time.
        withExtendedLifetime(idle) {}
    }

    private func lend<Value>(_ body: (PostgresConnection) throws -> Value) throws -> Value {
        let connection = try take()
        state.withLock { $0.lent[ObjectIdentifier(connection)] = connection }
        defer {
            let served = state.withLock { $0.giveBack(connection) }
            withExtendedLifetime(served) {}
        }
        return try body(connection)
    }

    private func take() throws -> PostgresConnection {
        let (kept, isClosed) = state.withLock { ($0.idle.popLast(), $0.isClosed) }
        if isClosed { throw PostgresError(state: "57P01", message: "the archive is closed") }
        if let kept { return kept }
        do {
            return try connect()
        } catch {
            // The database may refuse more connections while those that are there are good.
            let reply = Reply<PostgresConnection>.make { promise in
                state.withLock { state in
                    if let idle = state.idle.popLast() {
                        promise.give(idle)
                    } else if !state.lent.isEmpty {
                        state.waiting.append(promise)
                    }
                }
            }
            guard let returned = reply.wait(atMost: longestWait) else { throw error }
            return returned
        }
    }
}
