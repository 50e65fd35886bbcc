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
    ///   - progress: Called now and then with the counts so far.
    /// - Returns: The final counts.
    /// - Throws: ``ServerError`` if the archive doesn't exist or can't be opened.
    package static func run(
        _ address: ArchiveAddress, logger: Logger, tell: @escaping (_ problem: String) -> Void,
        progress: @escaping (Counts) -> Void
    ) throws -> Counts {
        let archive = try address.openForReading(logger: logger)
        return ArchiveCheck(archive, CheckReport(tell: tell, progress: progress)).run()
    }

    private init(_ archive: any Archive, _ report: CheckReport) {
        (self.archive, self.report) = (archive, report)
    }

    private func run() -> Counts {
        report.trying("the database") {
            for problem in try archive.damage() { report.problem("the database: \(problem)") }
        }
        // The others are found by their lines.
        for lost in archive.lost where !lost.isInside { report.problem("\(lost)") }
        var rows: [Int64] = []
        let known = archive.knownSessions
        report.trying("the list of sessions") {
            do {
                rows = try archive.sessionRows()
            } catch {
                rows = known.keys.sorted()
                throw error
            }
        }
        let tapes = Tapes(archive)
        for row in rows {
            report.trying(known[row].map { "session \($0)" } ?? "the session in row \(row)") {
                // It may have been deleted since the list was read.
                guard let stored = try archive.rows(.session, .session(row)).first else { return }
                var check = SessionCheck(row, stored, tapes, report)
                try check.run()
            }
            report.counts.sessions += 1
            report.advance()
        }
        CommonCheck(archive, report).run()
        return report.counts
    }
}

/// What a check has found so far.
final class CheckReport {
    var counts = ArchiveCheck.Counts()
    private let tell: (String) -> Void
    private let progress: (ArchiveCheck.Counts) -> Void

    init(tell: @escaping (String) -> Void, progress: @escaping (ArchiveCheck.Counts) -> Void) {
        (self.tell, self.progress) = (tell, progress)
    }

    func problem(_ text: String) {
        counts.problems += 1
        tell(text)
    }

    func advance(events: Int = 0) {
        counts.events += events
        progress(counts)
    }

    /// Reports it if something can't be read.
    func trying(_ name: String, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            problem("\(name) can't be read: \(Damage.reason(error))")
        }
    }
}
