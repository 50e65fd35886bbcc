#if Server
    import Foundation
    import Logging
    import StateTapeServer

    /// A temporary folder for an archive, removed when this object is deallocated.
    final class ArchiveFolder {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("statetape-bench-\(UUID().uuidString)")

        init() throws {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }

        deinit {
            try? FileManager.default.removeItem(at: url)
        }

        /// Starts a server with the folder; it logs to standard error.
        ///
        /// - Parameter database: The address of the database with the archive; nil for a file in the folder.
        func start(database: String? = nil) throws -> Server {
            var configuration = Configuration(data: url)
            configuration.port = 0
            configuration.database = try database.map { try DatabaseAddress($0) }
            return try Server(
                configuration,
                logger: Logger(label: "bench") { label in
                    var handler = StreamLogHandler.standardError(label: label)
                    handler.logLevel = .warning
                    return handler
                })
        }

        /// The size of the files in bytes; no server may use the folder.
        var bytes: Int {
            let files = (try? FileManager.default.subpathsOfDirectory(atPath: url.path)) ?? []
            // The “-shm” file of a closed archive is empty, and “reserve” is only free space for deletions.
            return files.filter { !$0.hasSuffix("-shm") && $0 != "reserve" }.reduce(0) { sum, file in
                let path = url.appendingPathComponent(file).path
                return sum + ((try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0)
            }
        }
    }
#endif
