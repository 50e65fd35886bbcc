#if Server
    import ArgumentParser
    import Foundation
    import TapeFormat

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send tapes, or files of the Redux DevTools, to a server.",
            discussion: """
                What the server holds of a session already is compared, and the rest is added. An upload whose connection \
                is lost goes on where it was. Prints each session's id, and how many events were new.
                """
        )

        @Argument(
            help: ArgumentHelp(
                "Tapes, plain or gzipped, or exports of the Redux DevTools; “-” is standard input.", valueName: "file"))
        var files: [String]

        @Option(help: ArgumentHelp("A label to add to the sessions; may be repeated.", valueName: "key=value"))
        var label: [Label] = []

        @OptionGroup var remote: Remote

        func run() async throws {
            for name in files {
                let file = name == "-" ? try Self.spooled() : URL(fileURLWithPath: name)
                defer { if name == "-" { try? FileManager.default.removeItem(at: file) } }
                guard FileManager.default.isReadableFile(atPath: file.path) else {
                    throw Failure("\(name) can't be read.")
                }
                let progress = Progress(name)
                let upload = FileUpload(file, to: remote, labels: label.map(\.query), progress: progress)
                let summary: JSON
                do {
                    summary = try await upload.run()
                } catch let failure as Failure {
                    throw Failure("\(name): \(failure)")
                }
                progress.end()
                let (session, added) = (summary["session"]?.string ?? "", summary["added"]?.int ?? 0)
                Output.line("\(session) \(added) new events")
                if let line = summary["stopped"]?["line"]?.int {
                    Progress.note("\(name) ends inside line \(line); what came before it is kept.")
                }
            }
        }

        /// Standard input in a file: an upload says how long it is before it begins.
        private static func spooled() throws -> URL {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("statetape-\(UUID().uuidString)")
            guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
                throw Failure("\(file.path) can't be written.")
            }
            let handle = try FileHandle(forWritingTo: file)
            while let piece = try FileHandle.standardInput.read(upToCount: 1 << 20), !piece.isEmpty {
                try handle.write(contentsOf: piece)
            }
            try handle.close()
            return file
        }
    }

    /// `branch=main`.
    struct Label: ExpressibleByArgument {
        let key: String
        let value: String

        init?(argument: String) {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else { return nil }
            key = String(parts[0])
            value = String(parts[1])
        }

        /// As a member of a query.
        var query: String {
            let text = "\(key):\(value)".addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            return "label=\(text)"
        }
    }

    /// How far something has come, on standard error where that is a terminal.
    final class Progress: Sendable {
        private static let isShown = isatty(STDERR_FILENO) == 1
        private let name: String

        init(_ name: String) {
            self.name = name
        }

        func reached(_ done: Int64, of all: Int64) {
            guard Self.isShown, all > 0 else { return }
            Self.write("\r\(name): \(done * 100 / all) %")
        }

        /// Takes its line away.
        func end() {
            if Self.isShown { Self.write("\r\u{1b}[K") }
        }

        /// A sentence for standard error.
        static func note(_ text: String) {
            write(text + "\n")
        }

        private static func write(_ text: String) {
            try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
        }
    }
#endif
