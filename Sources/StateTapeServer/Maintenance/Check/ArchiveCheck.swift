package import Logging
import TapeArchive
import TapeEngine
import TapeFormat

/// Reads a whole archive and reports every problem: damaged database pages, wrong checksums, events out of order, and
/// every stored value that isn't what the events and the other values say.
///
/// It changes nothing, and a server may be running.
package struct ArchiveCheck {
    /// What was checked so far.
    package struct Counts: Sendable {
        package var sessions = 0
        package var events = 0
        package var problems = 0
    }

    private let archive: any Archive
    private let report: CheckReport

    /// - Parameters:
    ///   - address: The archive.
    ///   - tell: Called with each problem.
    ///   - progress: Called now and then with the counts so far. It may throw ``RepairStopped``.
    /// - Returns: The final counts.
    /// - Throws: ``ServerError`` if the archive doesn't exist or can't be opened.
    package static func run(
        _ address: ArchiveAddress, logger: Logger, tell: @escaping (_ problem: String) -> Void,
        progress: @escaping (Counts) throws -> Void
    ) throws -> Counts {
        let report = CheckReport(tell: tell, progress: progress)
        return try run(address, report, logger)
    }

    static func run(_ address: ArchiveAddress, _ report: CheckReport, _ logger: Logger) throws -> Counts {
        let archive = try address.openForReading(logger: logger)
        return try ArchiveCheck(archive, report).run()
    }

    private init(_ archive: any Archive, _ report: CheckReport) {
        (self.archive, self.report) = (archive, report)
    }

    private func run() throws -> Counts {
        try report.trying("the database") {
            for problem in try archive.damage() { report.problem("the database: \(problem)") }
        }
        // The others are found by their lines.
        for lost in archive.lost where !lost.isInside { report.problem("\(lost)") }
        if archive.lostEdits > 0 { report.problem("the log: \(LostEdits.text(archive.lostEdits))") }
        var rows: [Int64] = []
        let known = archive.knownSessions
        try report.trying("the list of sessions") {
            do {
                rows = try archive.sessionRows()
            } catch {
                rows = known.keys.sorted()
                throw error
            }
        }
        let tapes = Tapes(archive)
        for row in rows {
            try report.trying(known[row].map { "session \($0)" } ?? "the session in row \(row)") {
                try report.steadily {
                    // It may have been deleted since the list was read.
                    guard let stored = try archive.rows(.session, .session(row)).first else { return true }
                    var check = SessionCheck(row, stored, tapes, report)
                    return try check.run()
                }
            }
            report.counts.sessions += 1
            try report.advance()
        }
        try CommonCheck(archive, report).run()
        return report.counts
    }
}
