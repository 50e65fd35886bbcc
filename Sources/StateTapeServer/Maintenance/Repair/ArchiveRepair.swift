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
        package fileprivate(set) var problems = Problems()
    }

    /// - Parameters:
    ///   - tell: Called with everything that can't be read.
    ///   - progress: Called now and then with the counts so far. It may throw ``RepairStopped``.
    /// - Returns: The final counts.
    /// - Throws: ``ServerError`` if the source doesn't exist or is in use, or the target exists; or ``RepairInterrupted``.
    ///   Nothing of the target is left then.
    package static func run(
        from source: URL, to target: URL, logger: Logger, tell: @escaping (_ problem: String) -> Void,
        progress: @escaping (Counts) throws -> Void
    ) throws -> Counts {
        try DataFolder.check(source)
        if let missing = MissingArchive(in: source), !missing.hasLog { throw missing.error }
        try ForeignFile.refuse(source.appendingPathComponent(DataFolder.archive), toRepair: true)
        guard !FileManager.default.fileExists(atPath: target.path) else {
            throw ServerError(.dataFolder, "\(target.path) exists already: --to names a new folder.")
        }
        guard !NewFolders(target).isInside(source) else {
            throw ServerError(
                .dataFolder,
                "\(target.path) is in the damaged folder, which stays as it is: --to names a folder elsewhere.")
        }
        let lock = try SourceLock(source)
        defer { withExtendedLifetime(lock) {} }
        let new = try RepairTarget(target)
        do {
            return try fill(new, from: source, logger, tell, progress)
        } catch {
            new.remove()
            if error is ServerError || error is RepairStopped { throw error }
            throw RepairInterrupted(error, target)
        }
    }

    private static func fill(
        _ target: RepairTarget, from source: URL, _ logger: Logger, _ tell: @escaping (String) -> Void,
        _ progress: @escaping (Counts) throws -> Void
    ) throws -> Counts {
        let (raw, copy) = (target.work.appendingPathComponent("raw"), target.work.appendingPathComponent("copy"))
        for folder in [target.work, raw] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        }
        let counts = try fill(copy, from: source, through: raw, logger, tell, progress)
        for name in try FileManager.default.contentsOfDirectory(atPath: copy.path) {
            try FileManager.default.moveItem(
                at: copy.appendingPathComponent(name), to: target.folder.appendingPathComponent(name))
        }
        try FileManager.default.removeItem(at: target.work)
        return counts
    }

    private static func fill(
        _ copy: URL, from source: URL, through raw: URL, _ logger: Logger, _ tell: @escaping (String) -> Void,
        _ progress: @escaping (Counts) throws -> Void
    ) throws -> Counts {
        var counts = Counts()
        var told: Set<String> = []
        func report(_ problem: String, in place: String = "") {
            // The checks find some again.
            guard told.count >= Problems.most || told.insert(problem).inserted else { return }
            counts.problems.add(place + problem)
            tell(place + problem)
        }
        let examination = Examination(logger: logger) {
            counts.checked += $0
            try progress(counts)
        }
        var salvage = try Salvage(from: source, in: raw, tell: { report($0) }) { rows in
            counts.rows += rows
            try progress(counts)
        }
        let salvaged = try salvage.run()
        // Nobody uses the copy before all of it is on the disk, which its closing sees to.
        let moved = try ArchiveMove.run(
            from: .folder(raw), to: .folder(copy), sync: .normal, logger: logger, tell: { report($0) }
        ) {
            counts.sessions = $0.copied
            counts.events = $0.events
            try progress(counts)
        }
        (counts.sessions, counts.events) = (moved.copied, moved.events)
        for lost in try salvaged.finish(copy, tell: { report($0) }) { report("\(lost)") }
        try copyTokens(copy, from: source) { report($0) }
        // After what could not be read, which matters more.
        try examination.check(source) { report($0) }
        try examination.mend(copy) { report($0, in: "in the new folder: ") }
        return counts
    }

    /// Links know the archive again by its tokens.
    private static func copyTokens(_ copy: URL, from source: URL, _ report: (String) -> Void) throws {
        for name in ["token", "view-token"] {
            let token: String?
            do throws(ServerError) {
                token = try TokenFile.read(source.appendingPathComponent(name).path)
            } catch {
                report("links with the damaged folder's \(name) don't open the new one. \(error)")
                continue
            }
            if let token { try TokenFile.write(token, to: copy.appendingPathComponent(name).path) }
        }
    }
}

/// Somebody has stopped a repair.
package struct RepairStopped: Error {
    package init() {}
}

/// A repair could not go on, such as on a full disk.
package struct RepairInterrupted: Error, CustomStringConvertible {
    package let description: String

    init(_ error: any Error, _ target: URL) {
        let reason = (error as? MoveInterrupted)?.reason ?? Damage.reason(error)
        description = """
            The repair stopped: \(reason). What it had copied to \(target.path) was removed. Once the reason is gone, run \
            the same command again: it starts anew.
            """
    }
}
