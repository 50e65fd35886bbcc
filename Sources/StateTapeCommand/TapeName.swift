import ArgumentParser
import Foundation
import StateTapeServer
import TapeArchive
import TapeEngine
import TapeFormat

/// A tape as an argument: a file, or a session of a server.
enum TapeName {
    case file(InputFile)
    case session(String)

    /// Takes the name as a file if that file exists, or if it isn't a valid session id.
    ///
    /// - Throws: `Failure` if the file can't be read.
    init(_ name: String) throws {
        let isFile = name == "-" || FileManager.default.fileExists(atPath: name)
        if !isFile, let short = Self.short(name) { throw short }
        self = Header.isSession(name) && !isFile ? .session(name) : .file(try InputFile(name))
    }

    /// The failure for the beginning of a session's id that is too short; nil for any other text.
    static func short(_ name: String) -> Failure? {
        guard !name.isEmpty, !Header.isSession(name), Header.isSession(name + "0000000000") else { return nil }
        return Failure(
            "\(name) is no file, and a session needs at least the first ten characters of its id: `statetape sessions` lists"
                + " them.")
    }

    /// Opens the tape; downloads it if it is a session.
    func open(_ remote: ServerClient, key: Int64 = 0) async throws -> OpenedTape {
        switch self {
        case .file(let file): return try Self.open(file, key: key)
        case .session(let name):
            let path = "/api/v1/sessions/\(try await remote.session(name))/tape"
            let download = try await remote.download(path)
            defer { try? FileManager.default.removeItem(at: download) }
            return try Self.open(InputFile(download.path), name: name, key: key)
        }
    }

    /// Prints that a tape's last line is incomplete.
    static func noteCut(_ name: String, _ line: Int) {
        Output.note("\(name) is cut off in line \(line); using the events before it.")
    }

    /// How a tape is made, as a sentence.
    static let making =
        "To make a tape, run an app with STATETAPE_FILE=app.tape, or save a session with `statetape export`."

    /// - Parameter path: The file; nil if the tape came from elsewhere.
    private static func remedy(_ failure: OpenedTape.Failure, _ path: String?) -> String {
        guard let line = failure.line, line > 1 else {
            return making
        }
        if failure.kind == .secondTape { return "Split the file before line \(line)." }
        guard let path else { return "To keep the events before it, keep only the lines before line \(line)." }
        return "To keep the events before it, run "
            + (path.hasSuffix(".gz")
                ? "`gzip -dc \(path.shellPath) | head -n \(line - 1) > NEW.tape`."
                : "`head -n \(line - 1) \(path.shellPath) > NEW.tape`.")
    }

    /// Opens a file; prints a note if its last line is incomplete.
    ///
    /// - Parameter notesCut: Whether to print that note.
    /// - Throws: `Failure` with the file's name and the line number.
    static func open(
        _ file: InputFile, name: String? = nil, key: Int64 = 0, notesCut: Bool = true
    ) throws -> OpenedTape {
        let path = name == nil && file.path != "-" ? file.path : nil
        let name = name ?? path ?? "standard input"
        let progress = Progress(name)
        defer { progress.end() }
        let size = file.size
        do {
            let tape = try OpenedTape(file.open(), key: key, sessionID: { SHA256.sessionID("redux", of: $0) }) {
                progress.update(Int64($0), of: size)
            }
            if notesCut, let line = tape.cutLine { noteCut(name, line) }
            return tape
        } catch let failure as OpenedTape.Failure {
            let isCut = failure.kind == .foreign && file.isBegunTape
            throw Failure(
                isCut
                    ? "\(name) ends in its first line, which is the header of a tape."
                    : failure.kind == .foreign ? "\(name) \(failure.reason)" : "\(name): \(failure)",
                remedy: remedy(failure, path))
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure("\(name) can't be read: \(error.reason)")
        }
    }
}
