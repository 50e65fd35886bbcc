#if Server
    import Foundation

    /// A few threads for what must not block the loop: reading the archive and building states.
    final class Workers: Sendable {
        private let queue = OperationQueue()

        init() {
            queue.maxConcurrentOperationCount = 4
        }

        func run(_ body: @escaping @Sendable () -> Void) {
            queue.addOperation(body)
        }

        /// Drops what hasn't begun and waits for the rest.
        func stop() {
            queue.cancelAllOperations()
            queue.waitUntilAllOperationsAreFinished()
        }
    }
#endif
