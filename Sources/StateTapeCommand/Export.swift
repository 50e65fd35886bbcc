#if Server
    import ArgumentParser
    import CZlib
    import Foundation
    import StateTapeServer
    import TapeFormat

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Save a session to a file.",
            discussion: """
                A tape is lines of JSON: the header, then one event a line. A file for the Redux DevTools holds every state \
                of one store whole, so that --from and --to are for the long ones. An HTML file is the page with the tape \
                inside: it opens from a disk, without a server and without a network, and shows all but playing back. It \
                can be made of a tape in a file, too, and then needs no server to be made either.
                """
        )

        enum Format: String, CaseIterable, ExpressibleByArgument {
            case tape
            case reduxDevTools = "redux-devtools"
            case html

            var ending: String {
                switch self {
                case .tape: "tape"
                case .reduxDevTools: "redux.json"
                case .html: "html"
                }
            }
        }

        @Argument(
            help: "The session's id, or the first ten or more characters of it; with --format html also a tape's file.")
        var session: String

        @Option(
            name: [.short, .long],
            help: ArgumentHelp(
                "Where to, gzipped if it ends in .gz; “-” is standard output. A file that is there is overwritten"
                    + " (default: SESSION.tape, .redux.json or .html, unless that is there).",
                valueName: "file"))
        var output: String?

        @Option(help: "What to write.")
        var format = Format.tape

        @Option(help: "The store, in a file for the Redux DevTools (default: main, or the only one).")
        var store: String?

        @Option(help: ArgumentHelp("The first event.", valueName: "seq"))
        var from: Int?

        @Option(help: ArgumentHelp("The last event.", valueName: "seq"))
        var to: Int?

        @Option(
            help: ArgumentHelp(
                "The folder of the page, for an HTML file of a tape in a file (default: as `serve` finds it).",
                valueName: "folder"))
        var web: String?

        @OptionGroup var remote: Remote

        func validate() throws {
            if store != nil, format != .reduxDevTools {
                throw ValidationError("A tape has all stores: --store is for --format redux-devtools.")
            }
            if let from, let to, from > to { throw ValidationError("--from \(from) is above --to \(to).") }
            guard (from ?? 0) >= 0, (to ?? 0) >= 0 else { throw ValidationError("--from and --to are 0 or more.") }
        }

        func run() async throws {
            if let tape = localTape { return try writePage(of: tape) }
            let id = try await remote.session(session)
            let members = [
                "format=\(format.rawValue)", from.map { "from=\($0)" }, to.map { "to=\($0)" },
                store?.addingPercentEncoding(withAllowedCharacters: .alphanumerics).map { "store=\($0)" },
            ]
            let query = members.compactMap { $0 }.joined(separator: "&")
            let file = try await remote.download("/api/v1/sessions/\(id)/tape?\(query)")
            defer { try? FileManager.default.removeItem(at: file) }
            try save(FileHandle(forReadingFrom: file), as: "\(id).\(format.ending)")
        }

        /// The file that is meant instead of a session.
        private var localTape: InputFile? {
            guard format == .html, let file = try? InputFile(session), file.kind != .folder else { return nil }
            return file
        }

        /// Writes a file to where the user wants it, else in the working folder, where it replaces nothing.
        private func save(_ source: FileHandle, as name: String) throws {
            let path = output ?? name
            try OutputFile.write(path, replaces: output != nil) { target in
                if !OutputFile.isStandardOutput(path), path.hasSuffix(".gz") {
                    try pack(source, into: target)
                } else {
                    try pieces(of: source) { try target.write(contentsOf: $0) }
                }
            }
            if format == .html, !OutputFile.isStandardOutput(path) {
                Output.line("\(path): \(ByteCount.text(Int(try source.offset())))")
            }
        }

        /// Makes the page of a tape in a file, all of it here.
        private func writePage(of tape: InputFile) throws {
            guard from == nil, to == nil else {
                throw ValidationError("--from and --to are for sessions of a server: a file is taken whole.")
            }
            guard let page = web.map({ URL(fileURLWithPath: $0, isDirectory: true) }) ?? ServeOptions.installedPage
            else { throw Failure("The page was not found; --web names its folder.") }
            if tape.kind == .regular, let note = try TapeFileCheck.run(tape.path) { Output.note(note) }
            let source = try tape.open()
            let first = try source.read(upToCount: 2) ?? Data()
            var pieces: OnePageFile
            do {
                pieces = try OnePageFile(
                    OnePage(page), name: tape.url.lastPathComponent, isPacked: [UInt8](first) == [0x1f, 0x8b])
            } catch let failure as OnePage.Failure {
                throw Failure("\(failure)")
            }
            var begun: Data? = first
            func read() throws -> [UInt8]? {
                if let first = begun, !first.isEmpty {
                    begun = nil
                    return [UInt8](first)
                }
                guard let piece = try source.read(upToCount: 1 << 18), !piece.isEmpty else { return nil }
                return [UInt8](piece)
            }
            let file = try TemporaryFile()
            defer { file.remove() }
            while let piece = try pieces.piece(read) { try file.write(Data(piece)) }
            try file.handle.seek(toOffset: 0)
            try save(file.handle, as: tape.url.deletingPathExtension().lastPathComponent + ".html")
        }

        private func pieces(of source: FileHandle, _ body: (Data) throws -> Void) throws {
            while let piece = try source.read(upToCount: 1 << 16), !piece.isEmpty { try body(piece) }
        }

        private func pack(_ source: FileHandle, into target: FileHandle) throws {
            let file = dup(target.fileDescriptor)
            guard let packed = gzdopen(file, "wb") else {
                close(file)
                throw POSIXError(.ENOMEM)
            }
            var isWhole = true
            try pieces(of: source) { piece in
                let count = piece.withUnsafeBytes { gzwrite(packed, $0.baseAddress, UInt32($0.count)) }
                isWhole = isWhole && count == piece.count
            }
            guard gzclose(packed) == Z_OK, isWhole else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        }
    }
#endif
