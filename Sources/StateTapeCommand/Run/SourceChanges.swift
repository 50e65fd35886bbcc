#if Server
    import Foundation
    import TapeFormat

    /// Reports changed source files.
    final class SourceChanges: Sendable {
        struct Change: Sendable {
            let files: [String]
            let at: ContinuousClock.Instant
        }

        /// Whether a file that was saved without a change counts, too.
        private let countsTouched = Locked(false)
        private let report: @Sendable (Result<Change, any Error>) -> Void

        /// - Parameter report: Called on another thread.
        /// - Throws: `Failure` if the folders can't be watched.
        init(
            _ folders: [SourceFolder], _ report: @escaping @Sendable (Result<Change, any Error>) -> Void
        ) throws {
            self.report = report
            let watcher = try FileWatcher()
            // Watched before it is read, so that no change is missed in between.
            try watcher.watch(SourceTree(folders).paths)
            let tree = SourceTree(folders)
            Thread.detachNewThread { [self] in watch(tree, watcher) }
        }

        func countTouched(_ counts: Bool) {
            countsTouched.withLock { $0 = counts }
        }

        private func watch(_ tree: SourceTree, _ watcher: FileWatcher) {
            var tree = tree
            while true {
                // A folder that was deleted has nothing to notice; it may be made again.
                let isComplete = tree.folders.allSatisfy { tree.paths.contains($0.url.path) }
                _ = watcher.wait(atMost: isComplete ? .seconds(60) : .seconds(1))
                let at = ContinuousClock.now
                var files = tree.update(touched: countsTouched.withLock { $0 })
                do {
                    try watcher.watch(tree.paths)
                } catch {
                    report(.failure(error))
                }
                tree.setTimes()
                // New folders may have got files before they were watched.
                files += tree.update().filter { !files.contains($0) }
                if !files.isEmpty { report(.success(Change(files: files, at: at))) }
            }
        }
    }
#endif
