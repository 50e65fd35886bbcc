import Foundation
import Logging
import TapeArchive
import TapeFormat

/// Looks for damage in the whole archive once a server has started, and says what it found. What nobody asks for would
/// otherwise be found by nobody.
final class DamageWatch: Sendable {
    private let archive: any ArchiveInspection
    private let folder: URL
    private let logger: Logger
    // Of a core that others want it gets a tenth.
    private let worker = Workers(1, qos: .background)
    private enum State {
        case waits, stopped
        case runs(any DamageSearch)
    }
    private let state = Locked(State.waits)

    init(_ archive: any ArchiveInspection, in folder: URL, logger: Logger) {
        (self.archive, self.folder, self.logger) = (archive, folder, logger)
    }

    func begin() {
        worker.run { [self] in
            do {
                guard let search = try archive.damageSearch() else { return }
                state.withLock { if case .waits = $0 { $0 = .runs(search) } }
                if isStopped { return }
                tell(try search.run())
            } catch {
                if isStopped { return }
                logger.error("The archive can't be searched for damage: \(Damage.reason(error))")
            }
        }
    }

    func stop() {
        state.withLock { state in
            if case .runs(let search) = state { search.stop() }
            state = .stopped
        }
        worker.stop()
    }

    private var isStopped: Bool { state.withLock { if case .stopped = $0 { true } else { false } } }

    private func tell(_ found: FoundDamage) {
        for index in found.rebuilt {
            logger.error("The archive's index \(index) was damaged, and was made anew.")
        }
        for problem in found.problems { logger.error("The archive's file is damaged: \(problem)") }
        guard !found.problems.isEmpty else { return }
        logger.error(
            """
            “statetape check” says what is affected. Stop the server; \
            “\(DataFolder.repairCommand(for: folder))” copies what can be read to a new folder.
            """)
    }
}
