#if Server
    import Foundation
    import TapeFormat

    /// A few threads for work that must not block the loop, such as reading the archive and building states. Clients take
    /// turns.
    final class Workers: Sendable {
        private let queue = OperationQueue()
        private let turns = Locked(Turns<@Sendable () -> Void>())

        init() {
            queue.maxConcurrentOperationCount = 4
        }

        func run(for client: Requester = .server, _ body: @escaping @Sendable () -> Void) {
            turns.withLock { $0.add(body, for: client) }
            queue.addOperation { [turns] in turns.withLock { $0.next() }?() }
        }

        /// Drops the work that has not started, and waits for the rest.
        func stop() {
            queue.cancelAllOperations()
            queue.waitUntilAllOperationsAreFinished()
        }
    }
#endif
