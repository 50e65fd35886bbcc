import ArgumentParser
import Foundation
import TapeEngine
import TapeFormat

struct StartStateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start-state",
        abstract: "List, set and clear the states in which apps launch.",
        discussion: """
            A launch state is the state in which an app starts in place of its initial state.
            Example: statetape start-state set 01M83CQTR5@120
            """,
        subcommands: [List.self, Set.self, Clear.self], defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the launch states of a server.")

        @Flag(help: "Print each as one line of JSON, as the HTTP API returns it.")
        var json = false

        @OptionGroup var remote: ServerClient

        func run() async throws {
            let states = try await remote.launchStates()
            if json { return states.forEach(Output.json) }
            let names = states.contains { $0["device"] != nil } ? try await remote.deviceNames() : [:]
            let rows = states.map { state in
                [
                    state["id"]?.string ?? "", state["app"]?.string ?? "",
                    state["device"]?.string.map { names[$0] ?? $0 } ?? "all",
                    (state["labels"]?.object ?? JSON.Object()).map { "\($0.key)=\($0.value.string ?? "")" }
                        .joined(separator: ","),
                    state["mode"]?.string ?? "",
                    state["session"]?.string.map { "\($0)@\(state["seq"]?.int ?? 0)" } ?? "",
                    state["once"]?.bool == true ? "once" : "",
                ]
            }
            Table([["ID", "APP", "DEVICE", "LABELS", "MODE", "SESSION@EVENT", ""]] + rows).lines
                .forEach(Output.line)
            if states.isEmpty { Output.note("No launch state is set.") }
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set the state in which a session's app launches.",
            discussion: """
                It is for the device of the session, if the session names one. Prints what happens at the next launch, and \
                the command that clears it again.
                """
        )

        @Argument(
            help: ArgumentHelp(
                "The session's id, or at least its first ten characters, and the number of an event (default: the last"
                    + " one that has a state).", valueName: "session@event"))
        var place: String

        @Flag(help: "Replay the session's actions up to the event, instead of starting with its state.")
        var replay = false

        @Flag(help: "Start each launch in the last state of the launch before. Takes a session without an event.")
        var latest = false

        @Flag(help: "Clear it after the next launch.")
        var once = false

        @Flag(help: "Launch in it on all devices.")
        var allDevices = false

        @Option(
            help: ArgumentHelp(
                "Only for launches with this label; may be repeated.", valueName: "key=value"))
        var label: [Label] = []

        @Flag(help: "Print the launch state as one line of JSON, as the HTTP API returns it.")
        var json = false

        @OptionGroup var remote: ServerClient

        private var parts: (session: String, seq: Int?) {
            let parts = place.split(separator: "@", maxSplits: 1)
            return (parts.first.map(String.init) ?? "", parts.count > 1 ? Int(parts[1]) : nil)
        }

        func validate() throws {
            guard !place.contains("@") || (parts.seq ?? -1) >= 0 else {
                throw ValidationError("“\(place)” isn't a session and an event, such as 01M83CQTR5@120.")
            }
            guard !latest || !replay && !place.contains("@") else {
                throw ValidationError("--latest takes neither an event nor --replay.")
            }
        }

        func run() async throws {
            let session = try await remote.session(parts.session)
            let summary = try await remote.json("GET", "/api/v1/sessions/\(session)")
            let mode = latest ? "latest" : replay ? "replay" : "state"
            var body = JSON.Object([
                ("app", summary["app"]?["id"] ?? .null), ("mode", .string(mode)), ("once", .bool(once)),
            ])
            if !allDevices { body["device"] = summary["device"]?["id"] }
            if !label.isEmpty { body["labels"] = .object(.init(label.map { ($0.key, .string($0.value)) })) }
            if !latest {
                body["session"] = .string(session)
                body["seq"] = parts.seq.map { .number(.init($0)) }
            }
            let earlier = try await remote.launchStates()
            let state = try await remote.json("PUT", "/api/v1/start-states", body: .object(body))
            guard state["id"]?.string != nil else { throw remote.unexpected("it has no launch state") }
            if json { Output.json(state) } else { Output.line(Self.sentence(state, summary)) }
            if let old = earlier.first(where: { Self.key($0) == Self.key(state) }) { Output.note(Self.replaced(old)) }
            let last = (summary["events"]?.int ?? 0) - 1
            if !latest, parts.seq == nil, let seq = state["seq"]?.int, seq < last {
                Output.note("Event \(last), the session's last, has no state: event \(seq) was taken.")
            }
            await noteUnknownLabels(summary["app"]?["id"]?.string ?? "")
        }

        /// What a launch state does.
        ///
        /// - Parameter summary: The summary of its session.
        static func sentence(_ state: JSON, _ summary: JSON) -> String {
            let app = state["app"]?.string ?? ""
            let device = state["device"]?.string.map { id in
                " on the device \(summary["device"]?["name"]?.string ?? id)"
            }
            let labels = (state["labels"]?.object ?? JSON.Object()).map { "\($0.key)=\($0.value.string ?? "")" }
            let condition = labels.isEmpty ? "" : " with the labels \(labels.joined(separator: ","))"
            let place = "event \(state["seq"]?.int ?? 0) of session \(state["session"]?.string ?? "")"
            let deed =
                switch state["mode"]?.string {
                case "replay": "replays the actions up to \(place)"
                case "latest": "starts in the last state of the launch before"
                default: "starts in the state after \(place)"
                }
            let which = state["once"]?.bool == true ? "The next launch" : "Each launch"
            return "\(which) of \(app)\(device ?? " on any device")\(condition) \(deed)."
                + " `statetape start-state clear \((state["id"]?.string ?? "").shellWord)` clears this."
        }

        /// What a launch state is for. There is one for each app, device and set of labels.
        private static func key(_ state: JSON) -> [String] {
            let labels = (state["labels"]?.object ?? JSON.Object()).map { "\($0.key)=\($0.value.string ?? "")" }
            return [state["app"]?.string ?? "", state["device"]?.string ?? ""] + labels.sorted()
        }

        /// Which launch state a new one has replaced.
        private static func replaced(_ old: JSON) -> String {
            guard let session = old["session"]?.string, let seq = old["seq"]?.int else {
                return "This replaced the one set with --latest."
            }
            return "This replaced the one set at event \(seq) of session \(session)."
        }

        /// Says so if a label looks like a mistyped one.
        private func noteUnknownLabels(_ app: String) async {
            guard !label.isEmpty else { return }
            let query = "&app=\(app.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
            let known = (try? await remote.sessions(query)).map(Label.all) ?? []
            for label in label where !known.contains(label.description) {
                let question = Suggestion(label.description, among: known).question
                if !question.isEmpty {
                    Output.note("No session of \(app) has the label \(label.description).\(question)")
                }
            }
        }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Clear launch states.")

        @Argument(
            help: ArgumentHelp("The ids of launch states, as `statetape start-state` lists them.", valueName: "id"))
        var ids: [String] = []

        @Flag(help: "Clear all launch states of the server.")
        var all = false

        @OptionGroup var remote: ServerClient

        func validate() throws {
            guard all == ids.isEmpty else { throw ValidationError("Pass ids of launch states, or --all.") }
        }

        func run() async throws {
            let ids = all ? try await known() : ids
            for id in ids {
                let text = id.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                let request = try remote.request("DELETE", "/api/v1/start-states?id=\(text)")
                do {
                    try await remote.send(request)
                } catch let failure as Failure where failure.code == "start-state-absent" {
                    let absent = Failure(
                        "Launch state “\(id)” doesn't exist. `statetape start-state` lists the ids.")
                    throw await remote.suggesting(absent, id, among: known)
                }
            }
            Output.line("Cleared \(ids.count) launch state\(ids.count == 1 ? "" : "s").")
        }

        /// The ids of the server's launch states.
        private func known() async throws -> [String] {
            let states = try await remote.launchStates()
            return states.compactMap { $0["id"]?.string }
        }
    }
}
