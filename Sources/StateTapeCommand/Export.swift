#if Server
    import ArgumentParser
    import CZlib
    import Foundation

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Save a session to a file.",
            discussion: """
                A tape is lines of JSON: the header, then one event a line. A file for the Redux DevTools holds every state \
                of one store whole, so that --from and --to are for the long ones.
                """
        )

        enum Format: String, CaseIterable, ExpressibleByArgument {
            case tape
            case reduxDevTools = "redux-devtools"

            var ending: String { self == .tape ? "tape" : "redux.json" }
        }

        @Argument(help: "The session's id, or the first ten or more characters of it.")
        var session: String

        @Option(
            name: [.short, .long],
            help: ArgumentHelp(
                "Where to, gzipped if it ends in .gz; “-” is standard output (default: SESSION.tape or .redux.json).",
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

        @OptionGroup var remote: Remote

        func validate() throws {
            if store != nil, format == .tape {
                throw ValidationError("A tape has all stores: --store is for the others.")
            }
        }

        func run() async throws {
            let id = try await remote.session(session)
            let members = [
                "format=\(format.rawValue)", from.map { "from=\($0)" }, to.map { "to=\($0)" },
                store?.addingPercentEncoding(withAllowedCharacters: .alphanumerics).map { "store=\($0)" },
            ]
            let query = members.compactMap { $0 }.joined(separator: "&")
            let file = try await remote.download("/api/v1/sessions/\(id)/tape?\(query)")
            defer { try? FileManager.default.removeItem(at: file) }
            if output == "-" { return try pieces(of: file, Output.bytes) }
            let target = URL(fileURLWithPath: output ?? "\(id).\(format.ending)")
            do {
                if target.pathExtension == "gz" { return try pack(file, into: target) }
                try? FileManager.default.removeItem(at: target)
                try FileManager.default.copyItem(at: file, to: target)
            } catch {
                throw Failure("\(target.path) can't be written: \(error.localizedDescription)")
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
