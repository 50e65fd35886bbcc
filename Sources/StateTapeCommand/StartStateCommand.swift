#if Server
    import ArgumentParser
    import Foundation
    import TapeFormat

    struct StartStateCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "start-state",
            abstract: "List, set and clear the states at which apps launch.",
            discussion: """
                Example: statetape start-state set 01M83CQTR5@120
                """,
            subcommands: [List.self, Set.self, Clear.self], defaultSubcommand: List.self
        )

        struct List: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "List the launch states of a server.")

            @Flag(help: "Print each as one line of JSON, as the HTTP API returns it.")
            var json = false

            @OptionGroup var remote: Remote

            func run() async throws {
                let states = try await remote.json("GET", "/api/v1/start-states")["startStates"]?.array ?? []
                if json { return states.forEach(Output.json) }
                let rows = states.map { state in
                    [
                        state["id"]?.string ?? "", state["app"]?.string ?? "", state["device"]?.string ?? "all",
                        (state["labels"]?.object ?? JSON.Object()).map { "\($0.key)=\($0.value.string ?? "")" }
                            .joined(separator: ","),
                        state["mode"]?.string ?? "",
                        state["session"]?.string.map { "\($0)@\(state["seq"]?.int ?? 0)" } ?? "",
                        state["once"]?.bool == true ? "once" : "",
                    ]
                }
                Table([["ID", "APP", "DEVICE", "LABELS", "MODE", "SESSION@EVENT", ""]] + rows).lines
                    .forEach(Output.line)
            }
        }

        struct Set: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Set the state from which a session's app launches.",
                discussion: "Prints the launch state's id. It is valid on the session's device, if the session has one."
            )

            @Argument(
                help: ArgumentHelp(
                    "The session's id, or at least its first ten characters, and the event; without “@event” its last"
                        + " one.", valueName: "session@event"))
            var place: String

            @Flag(help: "Replay the session's actions up to the event, instead of starting with its state.")
            var replay = false

            @Flag(help: "Each launch continues with the last state of the one before, whatever the event.")
            var latest = false

            @Flag(help: "Only for the next launch.")
            var once = false

            @Flag(help: "On all devices.")
            var allDevices = false

            @Option(
                help: ArgumentHelp(
                    "Only for launches with this label; may be repeated.", valueName: "key=value"))
            var label: [Label] = []

            @OptionGroup var remote: Remote

            private var parts: (session: String, seq: Int?) {
                let parts = place.split(separator: "@", maxSplits: 1)
                return (parts.first.map(String.init) ?? "", parts.count > 1 ? Int(parts[1]) : nil)
            }

            func validate() throws {
                guard !place.contains("@") || (parts.seq ?? -1) >= 0 else {
                    throw ValidationError("“\(place)” isn't a session and an event, such as 01M83CQTR5@120.")
                }
                guard !latest || !replay && !place.contains("@") else {
                    throw ValidationError("--latest takes no event, and not --replay.")
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
                    body["seq"] = .number(.init(parts.seq ?? max(0, (summary["events"]?.int ?? 0) - 1)))
                }
                let state = try await remote.json("PUT", "/api/v1/start-states", body: .object(body))
                Output.line(state["id"]?.string ?? state.text)
            }
        }

        struct Clear: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Clear launch states.")

            @Argument(help: "Their ids, as `statetape start-state` lists them.")
            var ids: [String] = []

            @Flag(help: "Clear all launch states of the server.")
            var all = false

            @OptionGroup var remote: Remote

            func validate() throws {
                guard all == ids.isEmpty else { throw ValidationError("Pass the ids, or --all.") }
            }

            func run() async throws {
                var ids = ids
                if all {
                    let states = try await remote.json("GET", "/api/v1/start-states")["startStates"]?.array ?? []
                    ids = states.compactMap { $0["id"]?.string }
                }
                for id in ids {
                    let text = id.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                    let request = try remote.request("DELETE", "/api/v1/start-states?id=\(text)")
                    try await remote.send(request)
                }
            }
        }
    }
#endif
