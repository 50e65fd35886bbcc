import ArgumentParser
import Foundation
import TapeFormat

struct Sessions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the sessions of a server, newest first.")

    enum Order: String, CaseIterable, ExpressibleByArgument {
        case started, received

        /// The newest first. A session whose start is not a date stands where the server received it.
        func sort(_ sessions: [JSON]) -> [JSON] {
            guard self == .started else { return sessions }
            let dates = sessions.map { Self.date($0["started"]) ?? Self.date($0["received"]) ?? .distantPast }
            // Of two that began together, the one that the server received last comes first.
            return sessions.indices.sorted { dates[$0] == dates[$1] ? $0 < $1 : dates[$0] > dates[$1] }
                .map { sessions[$0] }
        }

        private static func date(_ text: JSON?) -> Date? {
            guard let text = text?.string else { return nil }
            return [true, false].lazy.compactMap { hasFraction in
                try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
            }.first
        }
    }

    @Option(
        help: ArgumentHelp(
            "Sort by the time when the app began the session (started), or when the server first received it"
                + " (received).", valueName: "time"))
    var sort = Order.started

    @Flag(help: "Print each session as one line of JSON, as the HTTP API returns it.")
    var json = false

    @OptionGroup var remote: ServerClient

    func run() async throws {
        let sessions = sort.sort(try await remote.sessions())
        if json { return sessions.forEach(Output.json) }
        let title = ["SESSION", "APP", "DEVICE", "LIVE", "EVENTS", sort.rawValue.uppercased()]
        Table([title] + sessions.map(row), rightAligned: [4]).lines.forEach(Output.line)
        if sessions.isEmpty { Output.note("The server has no sessions.") }
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
            session[sort.rawValue]?.string ?? "",
        ]
    }
}
