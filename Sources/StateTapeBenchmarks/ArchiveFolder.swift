import Foundation
import Logging
import StateTapeServer

/// A temporary folder for an archive, removed when this object is deallocated. The archive may be in a database.
final class ArchiveFolder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("statetape-bench-\(UUID().uuidString)")

    private let schema: DatabaseSchema?

    /// - Parameter database: The address of the database with the archive, in a schema of its own; nil for a file in
    ///   the folder.
    init(database: String? = nil) throws {
        schema = try database.map { try DatabaseSchema(in: $0) }
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Starts a server with the folder; it logs to standard error.
    func start() throws -> Server {
        var configuration = Configuration(data: url)
        configuration.port = 0
        configuration.database = try schema.map { try DatabaseAddress($0.address) }
        return try Server(
            configuration,
            logger: Logger(label: "bench") { label in
                var handler = StreamLogHandler.standardError(label: label)
                handler.logLevel = .warning
                return handler
            })
    }

    /// The size of the archive in bytes; no server may use it.
    var bytes: Int {
        get throws { try schema?.bytes ?? fileBytes }
    }

    private var fileBytes: Int {
        let files = (try? FileManager.default.subpathsOfDirectory(atPath: url.path)) ?? []
        // The “-shm” file of a closed archive is empty, and “reserve” is only free space for deletions.
        return files.filter { !$0.hasSuffix("-shm") && $0 != "reserve" }.reduce(0) { sum, file in
            let path = url.appendingPathComponent(file).path
            return sum + ((try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0)
        }
    }
}
