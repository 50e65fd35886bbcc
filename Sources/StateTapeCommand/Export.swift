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
                "Where to, gzipped if it ends in .gz; “-” is standard output (default: SESSION.tape, .redux.json or .html).",
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
            if output == "-" { return try pieces(of: file, Output.bytes) }
            try save(file, as: output ?? "\(id).\(format.ending)")
        }

        /// The file that is meant instead of a session.
        private var localTape: URL? {
            let file = URL(fileURLWithPath: session)
            var isFolder: ObjCBool = false
            guard format == .html, FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) else {
                return nil
            }
            return isFolder.boolValue ? nil : file
        }

        private func save(_ file: URL, as path: String) throws {
            let target = URL(fileURLWithPath: path)
            do {
                if target.pathExtension == "gz" { return try pack(file, into: target) }
                try? FileManager.default.removeItem(at: target)
                try FileManager.default.copyItem(at: file, to: target)
                if format == .html { Output.line("\(path): \(ByteCount.text(Self.size(of: target)))") }
            } catch {
                throw Failure("\(target.path) can't be written: \(error.localizedDescription)")
            }
        }

        private static func size(of file: URL) -> Int {
            (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
        }

        /// Makes the page of a tape in a file, all of it here.
        private func writePage(of tape: URL) throws {
            guard from == nil, to == nil else {
                throw ValidationError("--from and --to are for sessions of a server: a file is taken whole.")
            }
            guard let page = web.map({ URL(fileURLWithPath: $0, isDirectory: true) }) ?? ServeOptions.installedPage
            else { throw Failure("The page was not found; --web names its folder.") }
            let source = try FileHandle(forReadingFrom: tape)
            let isPacked = try source.read(upToCount: 2).map { [UInt8]($0) == [0x1f, 0x8b] } ?? false
            try source.seek(toOffset: 0)
            if !isPacked { try Self.check(tape) }
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("statetape-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
                throw Failure("\(file.path) can't be written.")
            }
            let target = try FileHandle(forWritingTo: file)
            var pieces: OnePageFile
            do {
                pieces = try OnePageFile(OnePage(page), name: tape.lastPathComponent, isPacked: isPacked)
            } catch let failure as OnePage.Failure {
                throw Failure("\(failure)")
            }
            func read() throws -> [UInt8]? {
                guard let piece = try source.read(upToCount: 1 << 18), !piece.isEmpty else { return nil }
                return [UInt8](piece)
            }
            while let piece = try pieces.piece(read) {
                try target.write(contentsOf: Data(piece))
            }
            try target.close()
            if output == "-" { return try self.pieces(of: file, Output.bytes) }
            try save(file, as: output ?? tape.deletingPathExtension().lastPathComponent + ".html")
        }

        /// Finds out before the page does whether a file is worth showing.
        private static func check(_ file: URL) throws {
            if (try? PlainTape(file)) != nil { return }
            // The page reads exports of the Redux DevTools, too.
            let document = try? JSON(parsing: Data(contentsOf: file))
            guard let document, document["actionsById"] != nil || document["payload"] != nil else {
                throw Failure("\(file.path) is neither a tape nor an export of the Redux DevTools.")
            }
        }

        private func pieces(of file: URL, _ body: (Data) throws -> Void) throws {
            let handle = try FileHandle(forReadingFrom: file)
            while let piece = try handle.read(upToCount: 1 << 16), !piece.isEmpty { try body(piece) }
        }

        private func pack(_ file: URL, into target: URL) throws {
            guard let packed = gzopen(target.path, "wb") else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
            var isWhole = true
            try pieces(of: file) { piece in
                let count = piece.withUnsafeBytes { gzwrite(packed, $0.baseAddress, UInt32($0.count)) }
                isWhole = isWhole && count == piece.count
            }
            guard gzclose(packed) == Z_OK, isWhole else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        }
    }
#endif
