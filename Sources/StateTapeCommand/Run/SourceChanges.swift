import Foundation
import TapeFormat

/// Reports changed source files.
final class SourceChanges: Sendable {
    struct Change: Sendable {
        let files: [String]
        /// Saved without a change.
        let touched: [String]
        let at: ContinuousClock.Instant
    }

    /// Whether a file that was saved without a change counts as changed.
    private let countsTouched = Locked(false)
    private let report: @Sendable (Result<Change, any Error>) -> Void

    /// - Parameter report: Called on another thread.
    /// - Throws: `Failure` if the folders can't be watched.
    init(_ folders: [SourceFolder], _ report: @escaping @Sendable (Result<Change, any Error>) -> Void) throws {
        self.report = report
        let watcher = try FileWatcher()
        // Watched before it is read, so that no change is missed in between.
        try watcher.watch(SourceTree(folders).watched)
        let tree = try SourceTree(folders)
        Thread.detachNewThread { [self] in watch(tree, watcher) }
    }

    func countTouched(_ counts: Bool) {
        countsTouched.withLock { $0 = counts }
    }

    private func update(
        _ tree: inout SourceTree, _ watcher: FileWatcher, _ at: ContinuousClock.Instant
    ) throws -> Change {
        var files = try tree.update(touched: countsTouched.withLock { $0 })
        let touched = tree.touched
        try watcher.watch(tree.watched)
        tree.setTimes()
        // New folders may have got files before they were watched.
        files += try tree.update().filter { !files.contains($0) }
        return Change(files: files, touched: touched, at: at)
    }

    private func watch(_ tree: SourceTree, _ watcher: FileWatcher) {
        var tree = tree
        var problem: String?
        while true {
            // A folder that was deleted has nothing to notice; it may be made again.
            let isComplete = tree.folders.allSatisfy { tree.paths.contains($0.url.path) }
            _ = watcher.wait(atMost: isComplete ? .seconds(60) : .seconds(1))
            let at = ContinuousClock.now
            do {
                let change = try update(&tree, watcher, at)
                if !change.files.isEmpty || !change.touched.isEmpty { report(.success(change)) }
                problem = nil
            } catch {
                if problem != "\(error)" { report(.failure(error)) }
                problem = "\(error)"
            }
        }
    }
}
