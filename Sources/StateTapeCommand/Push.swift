#if Server
    import ArgumentParser
    import Foundation
    import TapeFormat

    struct Push: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Play a state or an action into the running app, and wait for its answer.",
            discussion: "Prints the seq of the event that the push caused."
        )

        @Argument(help: "The session's id, or the first ten or more characters of it.")
        var session: String

        @Option(help: ArgumentHelp("A file with the state as JSON; “-” reads standard input.", valueName: "file"))
        var state: String?

        @Option(
            help: ArgumentHelp("A file with {\"type\":…,\"payload\":…}; “-” reads standard input.", valueName: "file"))
        var action: String?

        @Option(help: ArgumentHelp("The state after this event of the session.", valueName: "seq"))
        var seq: Int?

        @Option(help: "The store.")
        var store = "main"

        @Flag(help: "Print the server's answer as JSON.")
        var json = false

        @OptionGroup var remote: Remote

        func validate() throws {
            guard [state != nil, action != nil, seq != nil].filter({ $0 }).count == 1 else {
                throw ValidationError("One of --state, --action and --seq says what to push.")
            }
            guard (seq ?? 0) >= 0 else { throw ValidationError("--seq is 0 or more.") }
        }

        func run() async throws {
            var body = JSON.Object([("store", .string(store))])
            if let state { body["state"] = try InputFile(state).json() }
            if let action { body["action"] = try InputFile(action).json() }
            if let seq { body["seq"] = .number(JSON.Number(seq)) }
            let id = try await remote.session(session)
            let answer = try await remote.json("POST", "/api/v1/sessions/\(id)/push", body: .object(body))
            Output.line(json ? answer.text : answer["seq"]?.number?.text ?? answer.text)
            for (member, what) in [
                ("filled", "filled from the app's initial state"), ("ignored", "unknown to the app"),
            ] {
                guard !json, let paths = answer[member]?.array, !paths.isEmpty else { continue }
                Output.line("\(what): " + paths.compactMap(\.string).joined(separator: " "))
            }
        }
    }
#endif
