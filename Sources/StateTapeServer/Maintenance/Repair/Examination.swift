import Foundation
import Logging
import TapeArchive

/// A check of the damaged folder, or of the new one: it finds what can be read, and contradicts the rest.
struct Examination {
    let logger: Logger
    /// Called with the number of events checked since the last call.
    let progress: (_ events: Int) throws -> Void

    /// - Returns: The problems; none if it can't be opened, since everything that can't be read is told then.
    func problems(of damaged: URL) throws -> [String] {
        do {
            return try check(damaged).problems
        } catch is ServerError {
            return []
        }
    }

    /// Checks the new folder, and leaves out stored states that are wrong.
    ///
    /// - Returns: What was left out, and the problems that remain.
    func mend(_ new: URL) throws -> [String] {
        let (problems, wrong) = try check(new)
        if wrong.isEmpty { return problems }
        try SQLiteArchive.drop(wrong, in: new)
        return wrong.map { "the stored state of “\($0.store)” after event \($0.seq) is left out: it is wrong" }
            + (try check(new).problems)
    }

    private func check(
        _ folder: URL
    ) throws -> (problems: [String], wrong: [(session: Int64, store: String, seq: Int)]) {
        var problems: [String] = []
        var last = 0
        let report = CheckReport(tell: { problems.append($0) }) { counts in
            try progress(counts.events - last)
            last = counts.events
        }
        _ = try ArchiveCheck.run(.folder(folder), report, logger)
        return (problems, report.wrongStates)
    }
}
