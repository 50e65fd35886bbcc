import Foundation
package import Logging
package import TapeArchive
import TapeArchivePostgres
import TapeEngine
import TapeFormat

/// Copies sessions from one archive to another with everything that belongs to them. The source stays as it is.
///
/// No server may use either data folder meanwhile, nor the target's database. If a copy is interrupted, the next one
/// continues it.
package struct ArchiveMove {
    /// What was done so far.
    package struct Counts: Sendable {
        package fileprivate(set) var copied = 0
        /// Sessions that the target has already, with the same lines.
        package fileprivate(set) var present = 0
        /// Events of the sessions that were copied or compared.
        package fileprivate(set) var events = 0
        /// Sessions to copy or compare.
        package fileprivate(set) var sessions = 0
        /// What could not be copied.
        package fileprivate(set) var problems = Problems()
    }

    private let source: Tapes
    private let target: Tapes
    private let tell: (String) -> Void
    private let progress: (Counts) throws -> Void
    private var counts = Counts()

    /// - Parameters:
    ///   - sessions: Ids of sessions, or at least their first ten characters; all sessions if empty.
    ///   - sync: When a commit to the target counts as done.
    ///   - tell: Called with each problem: lines that can't be read, and what the target has otherwise. Also with each
    ///     incomplete upload, which isn't a problem.
    ///   - progress: Called now and then with the counts so far.
    /// - Returns: The final counts.
    /// - Throws: ``ServerError`` if an archive can't be opened or is in use, or a session doesn't exist; or
    ///   ``MoveInterrupted``.
    package static func run(
        from: ArchiveAddress, to: ArchiveAddress, sessions: [String] = [], sync: Sync = .full, logger: Logger,
        tell: @escaping (_ problem: String) -> Void, progress: @escaping (Counts) throws -> Void
    ) throws -> Counts {
        guard !from.isSame(as: to) else {
            throw ServerError(.archive, "The source and the target are the same archive.")
        }
        // The source first: without it, the target's folder isn't created.
        let source = try from.openForReading(logger: logger)
        let sourceLock = try from.folder.map { (folder) throws(ServerError) in try SourceLock(folder) }
        let targetFolder = try to.folder.map { (folder) throws(ServerError) in try DataFolder(folder) }
        let target = try to.open(sync: sync, logger: logger)
        let locks = try [source, target].compactMap { $0 as? PostgresArchive }.map { try DatabaseLock($0) }
        defer {
            withExtendedLifetime((sourceLock, targetFolder, locks)) { try? target.close() }
        }
        var move = ArchiveMove(source: Tapes(source), target: Tapes(target), tell: tell, progress: progress)
        do {
            let chosen = try move.chosen(sessions)
            try move.copy(chosen, without: sessions.isEmpty ? Set(target.deletedSessions()) : [])
            try move.copyLaunchStates(of: sessions.isEmpty ? nil : Set(chosen))
            if sessions.isEmpty { try move.copyDeletions() }
        } catch let error as ServerError {
            throw error
        } catch is RepairStopped {
            throw RepairStopped()
        } catch {
            throw MoveInterrupted(error, from)
        }
        return move.counts
    }

    private init(
        source: Tapes, target: Tapes, tell: @escaping (String) -> Void, progress: @escaping (Counts) throws -> Void
    ) {
        (self.source, self.target, self.tell, self.progress) = (source, target, tell, progress)
    }

    /// The ids of the sessions to copy.
    private func chosen(_ names: [String]) throws -> [String] {
        guard !names.isEmpty else { return try source.archive.allSessions() }
        return try names.map { name in
            let found = Header.isSession(name) ? try source.archive.ids(beginningWith: name) : []
            guard let id = found.first else {
                let question = Suggestion(name, among: try source.archive.allSessions()).question
                throw ServerError(.archive, "Session “\(name)” doesn't exist in the source.\(question)")
            }
            guard found.count == 1 || id == name else {
                throw ServerError(
                    .archive, "Several session ids start with “\(name)”; use more characters.")
            }
            return id
        }
    }

    /// - Parameter deleted: Sessions that somebody has deleted in the target.
    private mutating func copy(_ ids: [String], without deleted: Set<String>) throws {
        var sessions: [(id: String, received: Int)] = []
        for id in ids {
            guard let session = try readable(id) else { continue }
            guard !deleted.contains(id) else {
                report("session \(id) isn't copied: it was deleted in the target (--session copies it again)")
                continue
            }
            sessions.append((id, session.received))
        }
        counts.sessions = sessions.count
        // At equal times the list goes by rows, so that the order of the copies counts.
        for (id, _) in sessions.sorted(by: { $0.received < $1.received }) {
            // It may have been deleted since the list was read.
            guard let session = try source.archive.session(id) else { continue }
            do {
                try copy(session)
            } catch  where Damage.isMeant(by: error) {
                report("session \(id) can't be read: \(Damage.reason(error))")
            }
            try progress(counts)
        }
    }

    /// The session, if it can be copied.
    private mutating func readable(_ id: String) throws -> Session? {
        do {
            guard let session = try source.archive.upload(id) else { return nil }
            guard !session.hidden else {
                if session.owner != SessionCopy.owner {
                    tell("session \(id) is an incomplete upload and isn't copied")
                }
                return nil
            }
            guard !session.isHeaderDamaged else {
                report("session \(id) isn't copied: its header is damaged")
                return nil
            }
            return session
        } catch  where Damage.isMeant(by: error) {
            report("session \(id) can't be read: \(Damage.reason(error))")
            return nil
        }
    }

    private mutating func copy(_ session: Session) throws {
        let before = counts
        var (problems, events) = (counts.problems, 0)
        // At once, since a damaged session may have any number of them.
        var copy = SessionCopy(session, from: source, to: target) { [tell] problem in
            let problem = "session \(session.id): \(problem)"
            problems.add(problem)
            tell(problem)
        } advanced: { [progress] count in
            events += count
            var now = before
            now.events += events
            try progress(now)
        }
        let result = try {
            defer { counts.problems = problems }
            return try copy.run()
        }()
        counts.events += session.next - session.first
        switch result {
        case .copied:
            counts.copied += 1
            try nameDevice(of: session)
        case .present: counts.present += 1
        case .different(let reason): report("session \(session.id) isn't copied: \(reason)")
        }
    }

    /// The target's own nickname of a device stays.
    private func nameDevice(of session: Session) throws {
        guard let nickname = session.nickname, let device = session.header.device?.id,
            let copy = try target.archive.session(session.id), copy.nickname == nil
        else { return }
        _ = try target.archive.name(device: device, nickname, most: 1)
    }

    /// - Parameter sessions: Copy only the launch states of these sessions.
    private mutating func copyLaunchStates(of sessions: Set<String>?) throws {
        let (present, states) = (try target.archive.launchStates(), try source.archive.launchStates())
        let damaged = try source.archive.rows(.launch, .all).count - states.count
        if damaged > 0 {
            report("\(damaged) launch state\(damaged == 1 ? " is" : "s are") damaged, and can't be copied")
        }
        for state in states {
            if let sessions, !(state.session.map(sessions.contains) ?? false) { continue }
            if present.contains(state) { continue }
            let clash = present.first {
                $0.id == state.id || $0.app == state.app && $0.device == state.device && $0.labels == state.labels
            }
            guard clash == nil else {
                report("the launch state of \(state.app) isn't copied: the target has another one")
                continue
            }
            try target.archive.put(state)
        }
    }

    private func copyDeletions() throws {
        let ids = try source.archive.deletedSessions()
        for start in stride(from: 0, to: ids.count, by: 1_000) {
            try target.archive.noteDeleted(Array(ids[start..<min(start + 1_000, ids.count)]))
        }
    }

    private mutating func report(_ problem: String) {
        counts.problems.add(problem)
        tell(problem)
    }
}

/// The target, or the source, could not be used any more. What was copied stays, and the next run continues.
package struct MoveInterrupted: Error, CustomStringConvertible {
    package let description: String
    let reason: String

    init(_ error: any Error, _ source: ArchiveAddress) {
        reason = Damage.reason(error)
        var way = "Run the same command again to continue."
        // It would stop at the same place again.
        if Damage.isMeant(by: error), let folder = source.folder {
            way = """
                If the source is damaged, “\(DataFolder.repairCommand(for: folder))” copies what can be read to a new \
                folder.
                """
        }
        description = "The copy stopped: \(reason). \(way)"
    }
}

extension ArchiveAddress {
    /// Nil for a database.
    fileprivate var folder: URL? {
        if case .folder(let folder) = self { folder } else { nil }
    }

    /// Whether both are the same data folder, under whatever names, or the same database.
    fileprivate func isSame(as other: ArchiveAddress) -> Bool {
        switch (self, other) {
        case (.folder(let one), .folder(let two)):
            one.standardizedFileURL.resolvingSymlinksInPath() == two.standardizedFileURL.resolvingSymlinksInPath()
        case (.database(let one), .database(let two)): one.postgres.secret == two.postgres.secret
        default: false
        }
    }
}
