#if Server
    import ArgumentParser
    import TapeFormat

    struct Prune: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete the sessions that a server heard from longest ago.",
            discussion: """
                Never goes: a session that is kept, one whose app is connected, and one where new runs start. \
                `statetape serve` takes the same limits and holds to them by itself.
                """)

        @OptionGroup var remote: Remote
        @OptionGroup var limits: RetentionOptions

        @Flag(help: "Delete nothing; list what would go.")
        var dryRun = false

        func validate() throws {
            guard limits.keepDays != nil || limits.maxSize != nil else {
                throw ValidationError("--keep-days or --max-size must say what goes.")
            }
        }

        func run() async throws {
            var body = JSON.Object([("dryRun", .bool(dryRun))])
            body["keepDays"] = limits.keepDays.map { .number(.init($0)) }
            body["maxSize"] = limits.maxSize.map { .number(.init($0.bytes)) }
            let answer = try await remote.json("POST", "/api/v1/prune", body: .object(body))
            let sessions = answer["sessions"]?.array ?? []
            if !sessions.isEmpty {
                let rows = [["SESSION", "APP", "EVENTS", "LAST HEARD", "BECAUSE OF", "FREES"]] + sessions.map(row)
                Table(rows, rightAligned: [2, 5]).lines.forEach(Output.line)
            }
            let bytes = ByteCount.text(answer["bytes"]?.int ?? 0)
            let size = ByteCount.text(answer["size"]?.int ?? 0)
            Output.line(
                "\(sessions.count) sessions \(dryRun ? "would go" : "deleted"), which frees about \(bytes) of \(size).")
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
