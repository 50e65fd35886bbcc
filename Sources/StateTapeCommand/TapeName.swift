#if Server
    import ArgumentParser
    import Foundation
    import StateTapeServer
    import TapeEngine
    import TapeFormat

    /// What a person calls a tape: a file, or a session of a server.
    enum TapeName {
        case file(InputFile)
        case session(String)

        /// A name that a file has, or that no session can have, is a file's.
        ///
        /// - Throws: `Failure` if the file can't be read.
        init(_ name: String) throws {
            let isSession = Header.isSession(name) && !FileManager.default.fileExists(atPath: name)
            self = isSession && name != "-" ? .session(name) : .file(try InputFile(name))
        }

        /// Opens it: a session is downloaded.
        func open(_ remote: Remote, key: Int64 = 0) async throws -> OpenedTape {
            switch self {
            case .file(let file): return try Self.open(file, key: key)
            case .session(let name):
                let path = "/api/v1/sessions/\(try await remote.session(name))/tape"
                let download = try await remote.download(path)
                defer { try? FileManager.default.removeItem(at: download) }
                return try Self.open(InputFile(download.path), name: name, key: key)
            }
        }

        /// Opens a file, and notes where it is cut off.
        ///
        /// - Throws: `Failure` that names the file and the line.
        static func open(_ file: InputFile, name: String? = nil, key: Int64 = 0) throws -> OpenedTape {
            let name = name ?? (file.path == "-" ? "standard input" : file.path)
            let progress = Progress(name)
            defer { progress.end() }
            let size = file.size
            do {
                let tape = try OpenedTape(file.open(), key: key, sessionID: { SHA256.sessionID("redux", of: $0) }) {
                    progress.reached(Int64($0), of: size)
                }
                if let line = tape.cutLine {
                    Output.note("\(name) ends inside line \(line); what comes before it is used.")
                }
                return tape
            } catch let failure as OpenedTape.Failure {
                throw Failure("\(name): \(failure)")
            } catch let failure as Failure {
                throw failure
            } catch {
                throw Failure("\(name) can't be read: \(error.reason)")
            }
        }
    }
#endif
