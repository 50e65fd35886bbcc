import ArgumentParser
import Foundation
import StateTapeServer
import TapeEngine
import TapeFormat
import Zlib

struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Save a session or a tape, or a range of its events, to a file.",
        discussion: """
            Exports a session of a server, or a tape file, which needs no server. --format chooses the output:
            tape: JSON lines, the header first, then one event per line.
            redux-devtools: a file for the Redux DevTools with each full state of one store. Use --from and --to for \
            long sessions.
            html: the page with the tape inside. It opens from the disk, without a server or a network, and is view \
            only. Exits with 1 if the tape is cut off; the page then has the events before.
            test: the Swift source of a test that replays the tape, and the tape as NAME.tape: in the folder Tapes beside \
            Package.swift, or beside the test if no folder above it has one.
            An existing file of --output is replaced once the new one is complete.
            """
    )

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case tape
        case reduxDevTools = "redux-devtools"
        case html
        case test

        var ending: String {
            switch self {
            case .tape: "tape"
            case .reduxDevTools: "redux.json"
            case .html: "html"
            case .test: "swift"
            }
        }
    }

    @Argument(
        help: ArgumentHelp(
            "A tape file, or a session's id or at least its first ten characters.", valueName: "tape"))
    var session: String

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The file to write, gzipped if its name ends in .gz; “-” writes standard output (default: NAME.tape,"
                + " NAME.redux.json, NAME.html or NAME.swift in this folder, after the session's id or the file's"
                + " name; fails if it exists).",
            valueName: "file"))
    var output: String?

    @Option(help: "The output format.")
    var format = Format.tape

    @Option(help: "The store to export to the Redux DevTools (default: main, or the only store).")
    var store: String?

    @Option(help: ArgumentHelp("The first event to export (default: the tape's first).", valueName: "seq"))
    var from: Int?

    @Option(help: ArgumentHelp("The last event to export (default: the tape's last).", valueName: "seq"))
    var to: Int?

    @Option(
        help: ArgumentHelp(
            "Take the page from this folder when exporting a tape file as HTML, to work on the page itself (default:"
                + " the built-in page).",
            valueName: "folder"))
    var web: String?

    @OptionGroup var remote: ServerClient

    func validate() throws {
        if store != nil, format != .reduxDevTools {
            throw ValidationError("--store needs --format redux-devtools; the other formats contain all stores.")
        }
        if let from, let to, from > to {
            throw ValidationError("--from \(from) must not be greater than --to \(to).")
        }
        if format == .test, let output,
            !output.hasSuffix(".swift") || output.hasSuffix("/.swift") || output == ".swift"
        {
            throw ValidationError("--format test writes two files: pass a path that ends in .swift with --output.")
        }
        guard (from ?? 0) >= 0, (to ?? 0) >= 0 else { throw ValidationError("--from and --to must be 0 or more.") }
    }

    func run() async throws {
        if let output { try OutputFile.requireFolder(of: output) }
        if case .file(let file) = try TapeName(session) { return try write(file) }
        let id = try await remote.session(session)
        if from != nil { try checkFrom(try await remote.json("GET", "/api/v1/sessions/\(id)")["events"]?.int ?? .max) }
        if format == .test {
            return try writeTest(try await TapeName.session(id).open(remote), base: id, source: nil)
        }
        let members = [
            "format=\(format.rawValue)", from.map { "from=\($0)" }, to.map { "to=\($0)" },
            store?.addingPercentEncoding(withAllowedCharacters: .alphanumerics).map { "store=\($0)" },
        ]
        let query = members.compactMap { $0 }.joined(separator: "&")
        let file = try await remote.download("/api/v1/sessions/\(id)/tape?\(query)")
        defer { try? FileManager.default.removeItem(at: file) }
        try save(FileHandle(forReadingFrom: file), as: "\(id).\(format.ending)")
    }

    /// Exports a tape file.
    private func write(_ source: InputFile) throws {
        let tape = try TapeName.open(source, notesCut: format != .html)
        let name = source.path == "-" ? tape.header.session : source.url.lastPathComponent
        let base = name.replacing(/(\.redux\.json|\.tape\.gz|\.tape)$/, with: "")
        try checkFrom(tape.seqs.upperBound)
        if format == .test { return try writeTest(tape, base: base, source: source) }
        let file = try TemporaryFile()
        defer { file.remove() }
        try write(tape, part(of: tape), name: name) { try file.write(Data($0)) }
        try file.handle.seek(toOffset: 0)
        try save(file.handle, as: "\(base).\(format.ending)")
        if format == .html, let line = tape.cutLine {
            throw Failure(
                "\(source.path): line \(line) is cut off. The page has the \(tape.seqs.count) events before it.")
        }
    }

    /// - Parameter next: The number after the tape's last event.
    private func checkFrom(_ next: Int) throws {
        guard let from, from >= next else { return }
        throw Failure(
            next == 0 ? "The tape has no event." : "--from \(from) is beyond the tape's last event, \(next - 1).")
    }

    /// The events to export.
    private func part(of tape: OpenedTape) -> Range<Int> {
        let first = min(max(from ?? 0, tape.seqs.lowerBound), tape.seqs.upperBound)
        return first..<max(first, min(to ?? .max, tape.seqs.upperBound - 1) + 1)
    }

    /// Writes a replay test, and its tape to the package's folder for tapes, or beside the test outside of packages.
    ///
    /// - Parameter source: The tape's file; if it is that file already, and all of it is exported, it stays as it is.
    private func writeTest(_ tape: OpenedTape, base: String, source: InputFile?) throws {
        let path = output ?? "\(base).swift"
        let file = URL(fileURLWithPath: String(path.dropLast(".swift".count)) + ".tape")
        let folder = TapeFolder(above: file.deletingLastPathComponent())?.url
        let place = folder.map { Self.short($0.appendingPathComponent(file.lastPathComponent)) }
        let copy = place ?? String(path.dropLast(".swift".count)) + ".tape"
        let part = part(of: tape)
        let test = try ReplayTest(tape, part, file: file.lastPathComponent)
        let isThere = source.map { Self.isSame($0.path, copy) } ?? false
        let hasTest = FileManager.default.fileExists(atPath: path)
        let old = (isThere ? [path] : [path, copy]).filter(FileManager.default.fileExists)
        if output == nil, !old.isEmpty {
            throw Failure(
                "\(old.joined(separator: " and ")) exist\(old.count == 1 ? "s" : "") already; pass -o \(path.shellPath) to"
                    + " overwrite \(old.count == 1 ? "it" : "both").")
        }
        if isThere {
            guard part == tape.seqs else {
                throw Failure("\(copy) is the tape that is exported; pass another name with -o for a part of it.")
            }
        } else {
            // All tests of a package share the folder.
            if folder != nil, !hasTest, FileManager.default.fileExists(atPath: copy) {
                throw Failure("\(copy) exists already, for another test; pass another name with -o.")
            }
            if let folder { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
            var export = try TapeExport(tape, part, States())
            try OutputFile.write(copy, replaces: output != nil) { file in
                while let piece = try export.piece() { try file.write(contentsOf: Data(piece)) }
            }
        }
        try OutputFile.write(path, replaces: output != nil) { try $0.write(contentsOf: Data(test.source.utf8)) }
        Output.line(
            "Wrote \(path)\(isThere ? "" : " and \(copy)")."
                + (test.isComplete ? "" : " In the test, replace each <#…#>."))
    }

    /// The path from the working folder, if that is shorter.
    private static func short(_ file: URL) -> String {
        let here = FileManager.default.currentDirectoryPath + "/"
        return file.path.hasPrefix(here) ? String(file.path.dropFirst(here.count)) : file.path
    }

    private static func isSame(_ path: String, _ other: String) -> Bool {
        var (one, two) = (stat(), stat())
        return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_dev == two.st_dev
            && one.st_ino == two.st_ino
    }

    /// Writes the output, chunk by chunk.
    private func write(_ tape: OpenedTape, _ part: Range<Int>, name: String, _ body: ([UInt8]) throws -> Void) throws {
        let states = States()
        switch format {
        case .tape:
            var export = try TapeExport(tape, part, states)
            while let piece = try export.piece() { try body(piece) }
        case .reduxDevTools:
            do {
                var export = try ReduxExport(tape, store: store, part, states)
                while let piece = try export.piece() { try body(piece) }
            } catch ReduxExport.Failure.severalStores(let stores) {
                throw Failure(
                    "The tape has several stores. Choose one with --store: \(stores.joined(separator: ", "))")
            } catch ReduxExport.Failure.noState(let store, let from) {
                throw Failure(
                    "The tape has no state of store “\(store)” from event \(from) on.\(try tape.storesBesides(store))")
            } catch let error as TooLarge {
                throw Failure("\(error)")
            }
        case .html, .test: try TapePage(web: web).write(tape, part, states, name: name, body)
        }
    }

    /// Writes a file to `output`, or as a new file in the working folder.
    private func save(_ source: FileHandle, as name: String) throws {
        let path = output ?? name
        try OutputFile.write(path, replaces: output != nil) { target in
            if !OutputFile.isStandardOutput(path), path.hasSuffix(".gz") {
                try compress(source, into: target)
            } else {
                try pieces(of: source) { try target.write(contentsOf: $0) }
            }
        }
        // Whoever reads standard output has the file itself.
        guard !OutputFile.isStandardOutput(path) else { return }
        // A device or a pipe has none.
        let size = (try? InputFile(path).size) ?? 0
        Output.line("Wrote \(path)\(size == 0 ? "" : ", \(ByteCount.text(Int(size)))").")
    }

    private func pieces(of source: FileHandle, _ body: (Data) throws -> Void) throws {
        while let piece = try source.read(upToCount: 1 << 16), !piece.isEmpty { try body(piece) }
    }

    private func compress(_ source: FileHandle, into target: FileHandle) throws {
        let deflation = try Deflation(.gzip, level: 6)
        func write(_ piece: [UInt8], _ flush: Deflation.Flush) throws {
            var output: [UInt8] = []
            try deflation.add(piece, flush, to: &output)
            try target.write(contentsOf: output)
        }
        try pieces(of: source) { try write(Array($0), .none) }
        try write([], .finish)
    }
}
