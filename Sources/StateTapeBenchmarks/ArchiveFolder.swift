#if Server
    import Foundation
    import Logging
    import StateTapeServer

    /// A folder for an archive, gone with this value.
    final class ArchiveFolder {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("statetape-bench-\(UUID().uuidString)")

        init() throws {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }

        deinit {
            try? FileManager.default.removeItem(at: url)
        }

        /// A server over what is in the folder. Its complaints go to standard error.
        func start() throws -> Server {
            var configuration = Configuration(data: url)
            configuration.port = 0
            return try Server(
                configuration,
                logger: Logger(label: "bench") { label in
                    var handler = StreamLogHandler.standardError(label: label)
                    handler.logLevel = .warning
                    return handler
                })
        }

        /// Bytes of its files, while no server has them open.
        var bytes: Int {
            let files = (try? FileManager.default.subpathsOfDirectory(atPath: url.path)) ?? []
            // Beside an archive that is closed, “-shm” holds nothing; what deletions need is kept free once for all sessions.
            return files.filter { !$0.hasSuffix("-shm") && $0 != "reserve" }.reduce(0) { sum, file in
                let path = url.appendingPathComponent(file).path
                return sum + ((try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0)
            }
        }
    }
#endif
