import ArgumentParser
import Foundation
import TapeFormat

struct Prune: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Delete a server's least recently active sessions.",
        discussion: """
            Lists the sessions and asks before it deletes them. Without a terminal it needs --yes. It never \
            deletes a session that is marked as kept on the page, whose app is connected, or that apps launch from. It \
            deletes the most recently active session of each app only with --all.
            `statetape serve` accepts the same limits and enforces them while it runs; it may delete that session \
            of an app, too.
            """)

    @OptionGroup var remote: ServerClient
    @OptionGroup var limits: RetentionOptions

    @Flag(help: "List the sessions that would be deleted, and delete nothing.")
    var dryRun = false

    @Flag(help: "Delete without asking.")
    var yes = false

    @Flag(help: "Include the most recently active session of each app.")
    var all = false

    @Flag(help: "Print the sessions as one line of JSON, as the HTTP API returns them; with --dry-run or --yes.")
    var json = false

    func validate() throws {
        guard limits.keepDays != nil || limits.maxSize != nil else {
            throw ValidationError("Pass --keep-days, --max-size or both.")
        }
        guard !dryRun || !yes else {
            throw ValidationError("Pass --dry-run or --yes, not both.")
        }
        guard !json || dryRun || yes else {
            throw ValidationError("--json needs --dry-run or --yes: it can't ask.")
        }
    }

    func run() async throws {
        var body = JSON.Object([("dryRun", true), ("all", .bool(all))])
        body["keepDays"] = limits.keepDays.map { .number(.init($0)) }
        body["maxSize"] = limits.maxSize.map { .number(.init($0.bytes)) }
        let plan = try await remote.json("POST", "/api/v1/prune", body: .object(body))
        let sessions = try remote.list("sessions", of: plan)
        if !sessions.isEmpty, !json {
            let rows = [["SESSION", "APP", "EVENTS", "LAST ACTIVE", "REASON", "FREES"]] + sessions.map(row)
            Table(rows, rightAligned: [2, 5]).lines.forEach(Output.line)
        }
        guard !dryRun, !sessions.isEmpty else { return show(plan, "would be deleted") }
        if !yes { try Self.ask(summary(plan, "will be deleted")) }
        // Sessions that became deletable since the list was printed stay.
        body["only"] = .array(sessions.compactMap { $0["session"] })
        body["dryRun"] = false
        let result = try await remote.json("POST", "/api/v1/prune", body: .object(body))
        _ = try remote.list("sessions", of: result)
        show(result, "deleted")
    }

    private func show(_ answer: JSON, _ outcome: String) {
        if json { Output.json(answer) } else { Output.line(summary(answer, outcome)) }
    }

    /// - Throws: `Failure` unless the user confirms in a terminal.
    private static func ask(_ plan: String) throws {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw Failure("Nothing was deleted: no terminal to confirm in. Pass --yes to delete these sessions.")
        }
        Output.ask("\(plan) Delete permanently? [y/N] ")
        guard ["y", "yes"].contains(readLine()?.lowercased().trimmingCharacters(in: .whitespaces)) else {
            throw Failure("Nothing was deleted.")
        }
    }

    /// Whether the archive stays larger than it should be.
    private func isExceeded(_ answer: JSON) -> Bool {
        guard let maxSize = limits.maxSize, let size = answer["size"]?.int else { return false }
        return size - (answer["bytes"]?.int ?? 0) > maxSize.bytes
    }

    /// Why.
    private var rest: String {
        let latest = all ? "" : ", and the most recently active one of each app (--all includes those)"
        return "The rest exceeds --max-size: sessions that are live or kept, those that apps launch from\(latest)."
    }

    private func summary(_ answer: JSON, _ outcome: String) -> String {
        let count = answer["sessions"]?.array?.count ?? 0
        let bytes = ByteCount.text(answer["bytes"]?.int ?? 0)
        let size = ByteCount.text(answer["size"]?.int ?? 0)
        return "\(count) \(count == 1 ? "session" : "sessions") \(outcome), which frees about \(bytes) of \(size)."
            + (isExceeded(answer) ? " \(rest)" : "")
    }

    private func row(_ session: JSON) -> [String] {
        ["session", "app", "events", "lastSeen", "reason"].map {
            session[$0]?.string ?? session[$0]?.number?.text ?? ""
        }
            + [ByteCount.text(session["bytes"]?.int ?? 0)]
    }
}

/// The retention limits of `serve` and `prune`.
struct RetentionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Delete sessions that were inactive for this many days.", valueName: "days"))
    var keepDays: Int?

    @Option(
        help: ArgumentHelp(
            "Delete the least recently active sessions until the archive is at most this large, such as 10GB or"
                + " 500MiB.",
            valueName: "size"))
    var maxSize: ByteCount?

    func validate() throws {
        if let keepDays, !(1...100_000 ~= keepDays) {
            throw ValidationError("--keep-days must be a whole number from 1 to 100000.")
        }
    }
}
