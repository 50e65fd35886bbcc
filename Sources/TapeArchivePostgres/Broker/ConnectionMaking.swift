import Foundation
import TapeArchive
import TapeFormat

/// Connects and listens, on a thread of its own.
final class ConnectionMaking: Sendable {
    typealias Made = (connection: PostgresConnection, isListening: Bool)

    private let made = Locked<Result<Made, any Error>?>(nil)
    private let isOver = DispatchSemaphore(value: 0)

    /// Nil until it is over.
    var result: Result<Made, any Error>? { made.withLock { $0 } }

    init(_ broker: PostgresBroker) {
        broker.connecting.enter()
        Thread.detachNewThread { [self] in
            let result = Result { try Self.make(broker) }
            made.withLock { $0 = result }
            isOver.signal()
            broker.connecting.leave()
        }
    }

    func wait(atMost duration: Duration) {
        _ = isOver.wait(timeout: .now() + .milliseconds(Int(duration / .milliseconds(1))))
    }

    private static func make(_ broker: PostgresBroker) throws -> Made {
        let connection = try broker.archive.connect()
        // Whoever looks at the database's connections finds this one by its name.
        try connection.runScript(
            """
            SET statement_timeout = '10s';
            SELECT set_config('application_name', current_setting('application_name') || ' listens', false)
            """)
        let listen = "LISTEN \(broker.archive.channel)"
        return (connection, broker.timing.listens && (try? connection.runScript(listen)) != nil)
    }
}
