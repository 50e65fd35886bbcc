package import Foundation
package import Logging
import TapeArchive
import TapeFormat

/// Copies what can be read of a damaged data folder to a new one. The damaged one stays as it is.
///
/// First the rows of each table are read around its damaged pages into a raw archive. Then each session is copied from
/// there as a move does it: from its lines, with gaps for those that are missing.
package struct ArchiveRepair {
    /// What was done so far.
    package struct Figures: Sendable {
        package fileprivate(set) var rows = 0
        package fileprivate(set) var sessions = 0
        package fileprivate(set) var events = 0
        /// What could not be read.
        package fileprivate(set) var problems: [String] = []
    }

    /// - Parameters:
    ///   - tell: Called with everything that can't be read.
    ///   - progress: Called now and then with the figures so far.
    /// - Returns: The final figures.
    /// - Throws: ``ServerError`` if the source doesn't exist or is in use, or the target exists; or what the disk says.
    package static func run(
        from source: URL, to target: URL, logger: Logger, tell: @escaping (_ problem: String) -> Void,
        progress: @escaping (Figures) -> Void
    ) throws -> Figures {
        try DataFolder.check(source)
        if let missing = MissingArchive(in: source), !missing.hasLog { throw missing.error }
        guard !FileManager.default.fileExists(atPath: target.path) else {
            throw ServerError(.dataFolder, "\(target.path) exists already: --to names a new folder.")
        }
        let lock = try SourceLock(source)
        defer { withExtendedLifetime(lock) {} }
        let newFolders = NewFolders(target)
        var isDone = false
        defer { if !isDone { newFolders.remove() } }
        try FileManager.default.createDirectory(
            at: target, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var figures = Figures()
        func report(_ problem: String) {
            figures.problems.append(problem)
            tell(problem)
        }
        let raw = target.appendingPathComponent("raw")
        defer { try? FileManager.default.removeItem(at: raw) }
        try FileManager.default.createDirectory(at: raw, withIntermediateDirectories: true)
        let salvage = try Salvage(from: source, in: raw, tell: report) { rows in
            figures.rows += rows
            progress(figures)
        }
        let id = try salvage.run()
        let before = figures
        let moved = try ArchiveMove.run(from: .folder(raw), to: .folder(target), logger: logger, tell: report) {
            figures.sessions = $0.copied
            figures.events = $0.events
            progress(figures)
        }
        (figures.sessions, figures.events) = (moved.copied, moved.events)
        figures.rows = before.rows
        // Apps know the archive again by its id, and links by its tokens.
        if let id { try Salvage.identify(target, as: id) }
        for name in ["token", "view-token"] {
            try? FileManager.default.copyItem(
                at: source.appendingPathComponent(name), to: target.appendingPathComponent(name))
        }
        isDone = true
        return figures
    }
}
