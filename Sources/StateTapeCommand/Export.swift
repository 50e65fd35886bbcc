#if Server
    import ArgumentParser
    import Foundation

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Save a session's tape to a file.",
            discussion: "A tape is lines of JSON: the header, then one event a line."
        )

        @Argument(help: "The session's id, or the first ten or more characters of it.")
        var session: String

        @Option(
            name: [.short, .long],
            help: ArgumentHelp("Where to; “-” is standard output (default: SESSION.tape).", valueName: "file"))
        var output: String?

        @Option(help: ArgumentHelp("The first event.", valueName: "seq"))
        var from: Int?

        @Option(help: ArgumentHelp("The last event.", valueName: "seq"))
        var to: Int?

        @OptionGroup var remote: Remote

        func run() async throws {
            let id = try await remote.session(session)
            let range = [from.map { "from=\($0)" }, to.map { "to=\($0)" }].compactMap { $0 }.joined(separator: "&")
            let file = try await remote.download("/api/v1/sessions/\(id)/tape" + (range.isEmpty ? "" : "?" + range))
            defer { try? FileManager.default.removeItem(at: file) }
            if output == "-" {
                let handle = try FileHandle(forReadingFrom: file)
                while let chunk = try handle.read(upToCount: 1 << 16), !chunk.isEmpty { Output.bytes(chunk) }
                return
            }
            let target = URL(fileURLWithPath: output ?? "\(id).tape")
            do {
                try? FileManager.default.removeItem(at: target)
                try FileManager.default.copyItem(at: file, to: target)
            } catch {
                throw Failure("\(target.path) can't be written: \(error.localizedDescription)")
            }
        }
    }
#endif
