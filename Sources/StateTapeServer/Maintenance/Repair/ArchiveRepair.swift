package import Foundation
package import Logging
import TapeArchive
import TapeFormat

/// Copies what can be read of a damaged data folder to a new one. The damaged one stays as it is.
///
/// First the rows of each table are read around its damaged pages into a raw archive. Then each session is copied from
/// there as a move does it: from its lines, with gaps for those that are missing. A check before and after it tells what
/// can be read, and contradicts the rest.
package struct ArchiveRepair {
    /// What was done so far.
    package struct Counts: Sendable {
        /// Events read by the checks of both folders.
        package fileprivate(set) var checked = 0
        package fileprivate(set) var rows = 0
        package fileprivate(set) var sessions = 0
        package fileprivate(set) var events = 0
        /// What is wrong in the damaged folder, and what could not be read.
        package fileprivate(set) var problems: [String] = []
    }

    /// - Parameters:
    ///   - tell: Called with everything that can't be read.
    ///   - progress: Called now and then with the counts so far. It may throw ``RepairStopped``.
    /// - Returns: The final counts.
    /// - Throws: ``ServerError`` if the source doesn't exist or is in use, or the target exists; or what the disk says.
    ///   Nothing of the target is left then.
    package static func run(
        from source: URL, to target: URL, logger: Logger, tell: @escaping (_ problem: String) -> Void,
        progress: @escaping (Counts) throws -> Void
    ) throws -> Counts {
        try DataFolder.check(source)
        if let missing = MissingArchive(in: source), !missing.hasLog { throw missing.error }
        try ForeignFile.refuse(source.appendingPathComponent(DataFolder.archive))
        guard !FileManager.default.fileExists(atPath: target.path) else {
            throw ServerError(.dataFolder, "\(target.path) exists already: --to names a new folder.")
        }
        let newFolders = NewFolders(target)
        guard !newFolders.isInside(source) else {
            throw ServerError(
                .dataFolder,
                "\(target.path) is in the damaged folder, which stays as it is: --to names a folder elsewhere.")
        }
        let lock = try SourceLock(source)
        defer { withExtendedLifetime(lock) {} }
        // While it is there, the target can't be taken for a whole one.
        let work = target.appendingPathComponent(DataFolder.repair)
        var isDone = false
        defer {
            if !isDone {
                try? FileManager.default.removeItem(at: work)
                newFolders.remove()
            }
        }
        try FileManager.default.createDirectory(
            at: target, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let (raw, copy) = (work.appendingPathComponent("raw"), work.appendingPathComponent("copy"))
        for folder in [work, raw] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        }
        let counts = try fill(copy, from: source, through: raw, logger, tell, progress)
        for name in try FileManager.default.contentsOfDirectory(atPath: copy.path) {
            try FileManager.default.moveItem(
                at: copy.appendingPathComponent(name), to: target.appendingPathComponent(name))
        }
        // Links know the archive again by its tokens.
        for name in ["token", "view-token"] {
            try? FileManager.default.copyItem(
                at: source.appendingPathComponent(name), to: target.appendingPathComponent(name))
        }
        try FileManager.default.removeItem(at: work)
        isDone = true
        return counts
    }

    private static func fill(
        _ copy: URL, from source: URL, through raw: URL, _ logger: Logger, _ tell: @escaping (String) -> Void,
        _ progress: @escaping (Counts) throws -> Void
    ) throws -> Counts {
        var counts = Counts()
        var told: Set<String> = []
        func report(_ problem: String, in place: String = "") {
            guard told.insert(problem).inserted else { return }
            counts.problems.append(place + problem)
            tell(place + problem)
        }
        let examination = Examination(logger: logger) {
            counts.checked += $0
            try progress(counts)
        }
        for problem in try examination.problems(of: source) { report(problem) }
        var salvage = try Salvage(from: source, in: raw, tell: { report($0) }) { rows in
            counts.rows += rows
            try progress(counts)
        }
        let salvaged = try salvage.run()
        let moved = try ArchiveMove.run(from: .folder(raw), to: .folder(copy), logger: logger, tell: { report($0) }) {
            counts.sessions = $0.copied
            counts.events = $0.events
            try progress(counts)
        }
        (counts.sessions, counts.events) = (moved.copied, moved.events)
        for lost in try salvaged.finish(copy, tell: { report($0) }) { report("\(lost)") }
        for problem in try examination.mend(copy) { report(problem, in: "in the new folder: ") }
        return counts
    }
}

/// Somebody has stopped a repair.
package struct RepairStopped: Error {
    package init() {}
}
