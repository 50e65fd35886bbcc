#if Server
    import Foundation

    /// A few threads for work that must not block the loop, such as reading the archive and building states.
    final class Workers: Sendable {
        private let queue = OperationQueue()

        init() {
            queue.maxConcurrentOperationCount = 4
        }

        func run(_ body: @escaping @Sendable () -> Void) {
            queue.addOperation(body)
        }

        /// Drops the work that has not started, and waits for the rest.
        func stop() {
            queue.cancelAllOperations()
            queue.waitUntilAllOperationsAreFinished()
        }
    }
#endif
