import Foundation
import Logging
import TapeArchive

/// A check of the damaged folder, or of the new one: it finds what can be read, and contradicts the rest.
struct Examination {
    let logger: Logger
    /// Called with the number of events checked since the last call.
    let progress: (_ events: Int) throws -> Void

    /// Tells the problems; none if the archive can't be opened, since everything that can't be read is told then.
    func check(_ damaged: URL, tell: @escaping (String) -> Void) throws {
        do { _ = try run(damaged, tell) } catch is ServerError {}
    }

    /// Checks the new folder, leaves out stored states that are wrong, and tells this and the problems that remain.
    func mend(_ new: URL, tell: @escaping (String) -> Void) throws {
        var problems = Problems()
        let wrong = try run(new) { problems.add($0) }
        if wrong.isEmpty { return problems.first.forEach(tell) }
        try SQLiteArchive.drop(wrong, in: new)
        for (_, store, seq) in wrong {
            tell("the stored state of “\(store)” after event \(seq) is left out: it is wrong")
        }
        _ = try run(new, tell)
    }

    /// - Returns: The stored states that are wrong.
    private func run(
        _ folder: URL, _ tell: @escaping (String) -> Void
    ) throws -> [(session: Int64, store: String, seq: Int)] {
        var last = 0
        let report = CheckReport(tell: tell) { counts in
            try progress(counts.events - last)
            last = counts.events
        }
        _ = try ArchiveCheck.run(.folder(folder), report, logger)
        return report.wrongStates
    }
}
