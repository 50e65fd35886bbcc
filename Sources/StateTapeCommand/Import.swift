#if Server
    import ArgumentParser
    import Foundation
    import TapeFormat

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send tapes, or files of the Redux DevTools, to a server.",
            discussion: """
                What the server holds of a session already is compared, and the rest is added. An upload whose connection \
                is lost goes on where it was. Prints each session's id, and how many events were new. A file that the \
                server refuses is told, and the next one is sent; the exit code is 1 then.
                """
        )

        @Argument(
            help: ArgumentHelp(
                "Tapes, plain or gzipped, or exports of the Redux DevTools; “-” is standard input. Of a folder those files in"
                    + " it that end in .tape, .tape.gz or .redux.json.", valueName: "file|folder"))
        var files: [String]

        @Option(help: ArgumentHelp("A label to add to the sessions; may be repeated.", valueName: "key=value"))
        var label: [Label] = []

        @OptionGroup var remote: Remote

        func run() async throws {
            var failures: [Failure] = []
            for name in files {
                do {
                    let file = try InputFile(name)
                    for file in file.kind == .folder ? try Self.tapes(in: file) : [file] {
                        do {
                            try await send(file)
                        } catch let failure as Failure {
                            failures.append(Failure("\(file.path): \(failure)"))
                        }
                    }
                } catch let failure as Failure {
                    failures.append(failure)
                }
            }
            // The last one is told when the command ends.
            for failure in failures.dropLast() { Output.note("Error: \(failure)") }
            if let last = failures.last { throw last }
        }

        private func send(_ file: InputFile) async throws {
            // An upload says how long it is before it begins.
            let spooled = try file.kind == .stream ? TemporaryFile() : nil
            defer { spooled?.remove() }
            if let spooled { try file.read { try spooled.write($0) } }
            let progress = Progress(file.path)
            let upload = FileUpload(
                spooled?.url ?? file.url, to: remote, labels: label.map(\.query), progress: progress)
            let summary = try await upload.run()
            progress.end()
            let (session, added) = (summary["session"]?.string ?? "", summary["added"]?.int ?? 0)
            Output.line("\(session) \(added) new events")
            if let line = summary["stopped"]?["line"]?.int {
                Output.note("\(file.path) ends inside line \(line); what came before it is kept.")
            }
        }

        /// What a folder has to import, by name; not what lies deeper.
        private static func tapes(in folder: InputFile) throws -> [InputFile] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            let tapes = names.filter { name in [".tape", ".tape.gz", ".redux.json"].contains(where: name.hasSuffix) }
            guard !tapes.isEmpty else {
                throw Failure("\(folder.path) has no file that ends in .tape, .tape.gz or .redux.json.")
            }
            return try tapes.sorted().map { try InputFile(folder.path + "/" + $0) }
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

        private static func write(_ text: String) {
            try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
        }
    }
#endif
