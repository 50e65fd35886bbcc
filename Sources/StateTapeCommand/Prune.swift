#if Server
    import ArgumentParser
    import Foundation
    import TapeFormat

    struct Prune: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete a server's least recently active sessions.",
            discussion: """
                Lists the sessions and asks before it deletes them; where there is no terminal it wants --yes. It never \
                deletes a session that is kept, one whose app is connected, and one where new runs start; nor, without \
                --all, the newest session of an app. `statetape serve` takes the same limits, and keeps to them, the \
                newest sessions included.
                """)

        @OptionGroup var remote: Remote
        @OptionGroup var limits: RetentionOptions

        @Flag(help: "Delete nothing; list what would be deleted.")
        var dryRun = false

        @Flag(help: "Delete without asking.")
        var yes = false

        @Flag(help: "Delete the newest session of an app, too.")
        var all = false

        func validate() throws {
            guard limits.keepDays != nil || limits.maxSize != nil else {
                throw ValidationError("--keep-days or --max-size must say what to delete.")
            }
            guard !dryRun || !yes else {
                throw ValidationError("--dry-run deletes nothing: --yes does not go with it.")
            }
        }

        func run() async throws {
            var body = JSON.Object([("dryRun", true), ("all", .bool(all))])
            body["keepDays"] = limits.keepDays.map { .number(.init($0)) }
            body["maxSize"] = limits.maxSize.map { .number(.init($0.bytes)) }
            let plan = try await remote.json("POST", "/api/v1/prune", body: .object(body))
            let sessions = plan["sessions"]?.array ?? []
            if !sessions.isEmpty {
                let rows = [["SESSION", "APP", "EVENTS", "LAST HEARD", "BECAUSE OF", "FREES"]] + sessions.map(row)
                Table(rows, rightAligned: [2, 5]).lines.forEach(Output.line)
            }
            guard !dryRun, !sessions.isEmpty else { return Output.line(Self.sentence(plan, "would be deleted")) }
            if !yes { try Self.ask(Self.sentence(plan, "will be deleted")) }
            // Those that were shown, and no others.
            body["only"] = .array(sessions.compactMap { $0["session"] })
            body["dryRun"] = false
            let gone = try await remote.json("POST", "/api/v1/prune", body: .object(body))
            Output.line(Self.sentence(gone, "deleted"))
        }

        /// - Throws: `Failure` unless a person at the terminal agrees.
        private static func ask(_ what: String) throws {
            guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
                throw Failure("Nothing was deleted: there is no terminal to ask at. --yes deletes these sessions.")
            }
            try FileHandle.standardError.write(contentsOf: Data("\(what) Delete them for good? [y/N] ".utf8))
            guard ["y", "yes"].contains(readLine()?.lowercased().trimmingCharacters(in: .whitespaces)) else {
                throw Failure("Nothing was deleted.")
            }
        }

        private static func sentence(_ answer: JSON, _ what: String) -> String {
            let count = answer["sessions"]?.array?.count ?? 0
            let bytes = ByteCount.text(answer["bytes"]?.int ?? 0)
            let size = ByteCount.text(answer["size"]?.int ?? 0)
            return "\(count) \(count == 1 ? "session" : "sessions") \(what), which frees about \(bytes) of \(size)."
        }

        private func row(_ session: JSON) -> [String] {
            ["session", "app", "events", "lastSeen", "reason"].map {
                session[$0]?.string ?? session[$0]?.number?.text ?? ""
            }
                + [ByteCount.text(session["bytes"]?.int ?? 0)]
        }
    }

    /// What goes: the same for a server that runs and for one look.
    struct RetentionOptions: ParsableArguments {
        @Option(help: ArgumentHelp("Delete sessions that were not heard from for so many days.", valueName: "days"))
        var keepDays: Int?

        @Option(
            help: ArgumentHelp(
                "Delete those heard from longest ago while the archive takes more, such as 10GB or 500MiB.",
                valueName: "size"))
        var maxSize: ByteCount?

        func validate() throws {
            if let keepDays, !(1...100_000 ~= keepDays) {
                throw ValidationError("--keep-days must be a whole number from 1 to 100000.")
            }
        }
    }
#endif
