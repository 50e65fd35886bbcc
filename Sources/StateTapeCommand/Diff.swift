import ArgumentParser
import Foundation
import TapeEngine
import TapeFormat

struct Diff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find the first difference between two tapes.",
        discussion: """
            Compares the actions and the states after them, store by store. Times, durations and call sites are \
            ignored. Tape files need no server; the server compares two of its sessions.

            --ignore leaves out the value at a path, with everything in it. A path is a JSON Pointer in which “*” \
            stands for one key or index and “**” for any number of them: “/**/lastUpdated”, “/session/id”, \
            “/todos/*/done”. It starts at the top of each state. In an action it starts at the action's top, so that \
            the paths of its payload's values begin with “/payload”; the action's type is always compared. Put the \
            path in quotes, because a shell expands “*”. With --ignore, two sessions are downloaded and compared here.

            Exit codes: 0 the tapes are equal, 1 they differ, 2 an error, 64 invalid arguments.
            """
    )

    @Argument(help: "A tape file, or a session's id or at least its first ten characters.")
    var first: String

    @Argument(help: "The tape file or session to compare it with.")
    var second: String

    @Option(
        help: ArgumentHelp("Ignore the value at this path; may be repeated.", valueName: "path"),
        transform: { try PathPattern($0) })
    var ignore: [PathPattern] = []

    @Flag(help: "Print the result as one JSON object.")
    var json = false

    @OptionGroup var remote: ServerClient

    func run() async throws {
        let answer: JSON
        do {
            answer = try await self.answer(TapeName(first), TapeName(second))
        } catch {
            // Exit code 1 says that the tapes differ.
            Output.note("Error: \(StateTapeCommand.message(for: error))")
            throw ExitCode(2)
        }
        if json { Output.json(answer) } else { Diff.lines(answer).forEach(Output.line) }
        guard answer["same"]?.bool == true else { throw ExitCode.failure }
    }

    private func answer(_ first: TapeName, _ second: TapeName) async throws -> JSON {
        if case .session(let first) = first, case .session(let second) = second, ignore.isEmpty {
            let ids = (try await remote.session(first), try await remote.session(second))
            return try await remote.json("GET", "/api/v1/sessions/\(ids.0)/diff/\(ids.1)", limit: .long)
        }
        let tapes = (try await first.open(remote, key: 0), try await second.open(remote, key: 1))
        var difference = TapeDifference(tapes.0, tapes.1, States(), ignoring: ignore)
        return try difference.answer()
    }

    /// The answer as readable lines.
    static func lines(_ answer: JSON) -> [String] {
        let compared = answer["compared"]?.int ?? 0
        let unknown = answer["unknown"]?.int ?? 0
        let rest = unknown == 0 ? "" : " States not compared, because one tape lacks them: \(unknown)."
        if answer["same"]?.bool == true { return ["No difference. Events compared: \(compared)." + rest] }
        let store = answer["store"]?.string.map { " in store \($0)" } ?? ""
        var lines = ["First difference\(store): \(description(answer)). Events compared: \(compared)." + rest]
        for (name, side) in [("first ", "a"), ("second", "b")] { lines.append("  \(name)  \(event(answer[side]))") }
        if let payload = answer["payload"] { lines.append("  " + place(payload)) }
        if let patch = answer["patch"]?.array, !patch.isEmpty {
            lines.append("Patch from the first tape's state to the second's:")
            lines += patch.map { "  " + $0.text }
        } else if let bytes = answer["patchBytes"]?.int {
            lines.append("The patch between the states has \(bytes) bytes, too many to show.")
        }
        return lines
    }

    /// Where two payloads differ, with the values.
    private static func place(_ payload: JSON) -> String {
        let path = payload["path"]?.string ?? ""
        guard payload["a"] != nil || payload["b"] != nil else { return "at \(path)" }
        let texts = ["a", "b"].map { name in payload[name].map { Markup.short($0.text, 60) } ?? "nothing" }
        return "at \(path): \(texts[0]) in the first, \(texts[1]) in the second"
    }

    private static func description(_ answer: JSON) -> String {
        switch answer["kind"]?.string {
        case "action": "the actions differ"
        case "state": isStart(answer) ? "they start with different states" : "the same action led to different states"
        case "error": "the reducers threw different errors, or one threw none"
        case "kind": "the events have different kinds"
        case "ended": "one tape ends here"
        case "gap": "one tape has a gap here"
        case "order": "the events are in a different order"
        default: answer["kind"]?.string ?? ""
        }
    }

    /// Whether the events have no action: states at which the apps were launched, or that were applied.
    private static func isStart(_ answer: JSON) -> Bool {
        ["init", "replace"].contains(answer["a"]?["event"]?.string)
    }

    /// The answer in one sentence, with the first changes of the state.
    static func sentence(_ answer: JSON, from other: String) -> String {
        if answer["same"]?.bool == true { return "No difference from \(other)." }
        let changes = (answer["patch"]?.array ?? []).prefix(3).map { change in
            let value = change["value"].map { ": \(Markup.short($0.text, 60))" } ?? ""
            return "\(change["op"]?.string ?? "") \(change["path"]?.string ?? "")\(value)"
        }
        let patch = changes.isEmpty ? "" : " (\(changes.joined(separator: ", ")))"
        let (one, two) = (event(answer["a"]), event(answer["b"]))
        return "First difference from \(other): \(one) and \(two), \(description(answer))\(patch)."
    }

    private static func event(_ head: JSON?) -> String {
        guard let seq = head?["seq"]?.int else { return "-" }
        return "#\(seq) \(head?["type"]?.string ?? head?["event"]?.string ?? "")"
    }
}
