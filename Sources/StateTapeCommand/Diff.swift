#if Server
    import ArgumentParser
    import Foundation
    import TapeEngine
    import TapeFormat

    struct Diff: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Find the first difference between two tapes.",
            discussion: """
                Compares actions, and the states after events, store by store. Times, durations and call sites don't count. \
                Two sessions of a server are compared there; files need no server. Exits with 1 if the tapes differ.
                """
        )

        @Argument(help: "A tape's file, or a session's id or the first ten or more characters of it.")
        var first: String

        @Argument(help: "The tape to compare it with.")
        var second: String

        @Flag(help: "Print the answer as one JSON object.")
        var json = false

        @OptionGroup var remote: Remote

        func run() async throws {
            let answer = try await answer(TapeName(first), TapeName(second))
            if json { Output.line(answer.text) } else { Diff.lines(answer).forEach { Output.line(Table.safe($0)) } }
            guard answer["same"]?.bool == true else { throw ExitCode.failure }
        }

        private func answer(_ first: TapeName, _ second: TapeName) async throws -> JSON {
            if case .session(let first) = first, case .session(let second) = second {
                let ids = (try await remote.session(first), try await remote.session(second))
                return try await remote.json("GET", "/api/v1/sessions/\(ids.0)/diff/\(ids.1)")
            }
            let tapes = (try await first.open(remote, key: 0), try await second.open(remote, key: 1))
            var difference = TapeDifference(tapes.0, tapes.1, States())
            return try difference.answer()
        }

        /// What the answer says, for a person.
        static func lines(_ answer: JSON) -> [String] {
            let compared = answer["compared"]?.int ?? 0
            let unknown = answer["unknown"]?.int ?? 0
            let rest = unknown == 0 ? "" : " The states after \(unknown) of them are not known in both."
            if answer["same"]?.bool == true { return ["The same: \(compared) events compared." + rest] }
            let what =
                switch answer["kind"]?.string {
                case "action": "the actions differ"
                case "state": "the same action led to different states"
                case "kind": "the events are of different kinds"
                case "ended": "one session has no further event"
                case "gap": "one session lost events there"
                case "order": "the events come in another order"
                default: answer["kind"]?.string ?? ""
                }
            let store = answer["store"]?.string.map { " in store \($0)" } ?? ""
            var lines = ["First difference\(store): \(what). \(compared) events compared." + rest]
            for (name, side) in [("first ", "a"), ("second", "b")] { lines.append("  \(name)  \(event(answer[side]))") }
            if let patch = answer["patch"]?.array, !patch.isEmpty {
                lines.append("From the first one's state to the second one's:")
                lines += patch.map { "  " + $0.text }
            } else if let bytes = answer["patchBytes"]?.int {
                lines.append("The patch between the states takes \(bytes) bytes and is not shown.")
            }
            return lines
        }

        private static func event(_ head: JSON?) -> String {
            guard let seq = head?["seq"]?.int else { return "-" }
            return "#\(seq) \(head?["type"]?.string ?? head?["event"]?.string ?? "")"
        }
    }
#endif
