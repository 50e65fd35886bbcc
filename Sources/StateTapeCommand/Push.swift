import ArgumentParser
import Foundation
import TapeFormat

struct Push: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Apply a state to the running app, or dispatch an action in it.",
        discussion: """
            Waits for the app's answer, and names the event that the app recorded. Pass one of --seq, \
            --state and --action.
            """
    )

    @Argument(help: "The session's id, or at least its first ten characters.")
    var session: String

    @Option(
        help: ArgumentHelp("Apply the state in this JSON file; “-” reads standard input.", valueName: "file"))
    var state: String?

    @Option(
        help: ArgumentHelp(
            "Dispatch the action in this JSON file, {\"type\":…,\"payload\":…}; “-” reads standard input. *Copy action as"
                + " JSON* on the page gives the form: the values of an enum's case are _0, _1 and so on, unless they have"
                + " labels.", valueName: "file"))
    var action: String?

    @Option(help: ArgumentHelp("Apply the state after this event of the session.", valueName: "seq"))
    var seq: Int?

    @Option(help: "The name of the store in the app.")
    var store = "main"

    @Flag(help: "Print the server's answer as JSON.")
    var json = false

    @OptionGroup var remote: ServerClient

    func validate() throws {
        guard [state != nil, action != nil, seq != nil].filter({ $0 }).count == 1 else {
            throw ValidationError("Pass exactly one of --seq, --state and --action.")
        }
        guard (seq ?? 0) >= 0 else { throw ValidationError("--seq must be 0 or more.") }
    }

    func run() async throws {
        var body = JSON.Object([("store", .string(store))])
        if let state { body["state"] = try InputFile(state).json() }
        if let action { body["action"] = try InputFile(action).json() }
        if let seq { body["seq"] = .number(JSON.Number(seq)) }
        let id = try await remote.session(session)
        let answer = try await remote.json("POST", "/api/v1/sessions/\(id)/push", body: .object(body))
        guard let seq = answer["seq"]?.number else { throw remote.unexpected("it names no event") }
        guard !json else { return Output.json(answer) }
        Output.line("\(action == nil ? "Applied" : "Dispatched"): event \(seq.text).")
        if let error = answer["error"]?.string { Output.line("The reducer threw: \(error)") }
        for (member, label) in [
            ("filled", "Filled in from the app's initial state"), ("kept", "Kept, the app's own values"),
            ("ignored", "Ignored, unknown to the app"),
        ] {
            guard let paths = answer[member]?.array, !paths.isEmpty else { continue }
            Output.line("\(label): " + paths.compactMap(\.string).joined(separator: " "))
        }
        for loss in (answer["lost"]?.array ?? []).map(LostPlace.init) {
            Output.line("\(loss.isSecret ? "Secret, not on the tape" : "Lost"): \(loss.text)")
        }
    }
}
