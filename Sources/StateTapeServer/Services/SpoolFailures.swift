import Foundation
import Logging
import TapeFormat

/// Tells that the file of a long message can't be written.
final class SpoolFailures: Sendable {
    private let refusals: RefusedConnections
    private let folder: URL
    private let logger: Logger
    private let logged = Locked<Set<String>>([])

    init(_ refusals: RefusedConnections, in folder: URL, logger: Logger) {
        (self.refusals, self.folder, self.logger) = (refusals, folder, logger)
    }

    func add(peer: String, reason: String) {
        refusals.add(peer: peer, path: "/v1/app", code: "spool", detail: reason)
        // Once: the app connects again and again, with the same message.
        guard logged.withLock({ $0.insert(reason).inserted }) else { return }
        logger.error("In the data folder \(folder.path), \(reason)")
    }
}
