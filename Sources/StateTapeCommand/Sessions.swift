#if Server
    import ArgumentParser
    import Foundation
    import TapeFormat

    struct Sessions: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the sessions of a server, newest first.")

        @OptionGroup var remote: Remote

        @Flag(help: "Print each session as one line of JSON, as the HTTP API returns it.")
        var json = false

        func run() async throws {
            var before: String?
            var rows = [["SESSION", "APP", "DEVICE", "", "EVENTS", "RECEIVED"]]
            repeat {
                let page = try await remote.json(
                    "GET", "/api/v1/sessions?limit=200" + (before.map { "&before=\($0)" } ?? ""))
                for session in page["sessions"]?.array ?? [] {
                    if json { Output.json(session) } else { rows.append(row(session)) }
                }
                before = page["next"]?.string?.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            } while before != nil
            if !json { Table(rows, rightAligned: [4]).lines.forEach(Output.line) }
        }

        private func row(_ session: JSON) -> [String] {
            let app = session["app"]
            return [
                session["session"]?.string ?? "",
                [app?["name"]?.string ?? app?["id"]?.string, app?["version"]?.string].compactMap { $0 }
                    .joined(separator: " "),
                session["device"]?["name"]?.string ?? "",
                session["live"]?.bool == true ? "live" : "",
                session["events"]?.number?.text ?? "",
                session["received"]?.string ?? "",
            ]
        }
    }
#endif
