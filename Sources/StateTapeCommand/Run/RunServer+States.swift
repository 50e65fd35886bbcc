import Foundation
import TapeFormat

/// The last state of an app's process, for its next one.
struct LastState: Sendable {
    let app: String
    let device: String?
    let labels: [String: String]
    let session: String
    let seq: Int

    /// - Parameter summary: A session's.
    /// - Returns: Nil if nothing was recorded.
    init?(_ summary: JSON) {
        guard let app = summary["app"]?["id"]?.string, let session = summary["session"]?.string,
            let events = summary["events"]?.int, events > 0
        else { return nil }
        self.app = app
        self.session = session
        device = summary["device"]?["id"]?.string
        seq = events - 1
        labels =
            summary["labels"]?.object.map { labels in
                Dictionary(labels.map { ($0.key, $0.value.string ?? "") }, uniquingKeysWith: { $1 })
            } ?? [:]
    }
}

extension RunServer {
    /// The sessions of the run, newest first.
    func sessions() async throws -> [JSON] {
        try await json("GET", "/api/v1/sessions?limit=100&\(Label("run", id).query)")["sessions"]?.array ?? []
    }

    /// The last states of processes that have ended, but for those of these sessions. Waits until the server has
    /// everything that they have sent.
    func lastStates(except known: Set<String>) async throws -> [LastState] {
        let end = ContinuousClock.now + .seconds(2)
        while true {
            let sessions = try await sessions().filter { !known.contains($0["session"]?.string ?? "") }
            if !sessions.contains(where: { $0["live"]?.bool == true }) || ContinuousClock.now > end {
                return sessions.compactMap(LastState.init)
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// When a process other than those of these sessions has recorded its first event; nil if it does not within 10 s.
    func firstEvent(except known: Set<String>) async -> ContinuousClock.Instant? {
        let end = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < end {
            do {
                let isNew = try await sessions().contains {
                    !known.contains($0["session"]?.string ?? "") && ($0["events"]?.int ?? 0) > 0
                }
                if isNew { return .now }
                try await Task.sleep(for: .milliseconds(5))
            } catch {
                // A server that is gone may come back.
                try? await Task.sleep(for: .milliseconds(250))
            }
        }
        return nil
    }

    /// Makes the next process of each app start in the app's last state, once.
    ///
    /// - Parameter replay: Replays the tape up to there instead.
    /// - Returns: What to say about apps that start with something else.
    func setLaunchStates(_ states: [LastState], replay: Bool) async throws -> [String] {
        try await clearLaunchStates()
        let others = try await launchStates()
        var notes: [String] = []
        for (index, state) in states.enumerated() {
            // Of several processes of one app, the server takes one state: that of the process that started first.
            if states[(index + 1)...].contains(where: { $0.app == state.app && $0.device == state.device }) {
                continue
            }
            if let other = others.last(where: { Self.matches($0, state) }) {
                let place = "\(other["session"]?.string ?? "")@\(other["seq"]?.int ?? 0)"
                let id = other["id"]?.string ?? ""
                notes.append(
                    "It starts at the launch state \(place). To keep the app's own state, clear that on the page, or with"
                        + " `statetape start-state clear \(id.shellWord)`.")
                continue
            }
            var body = JSON.Object([
                ("app", .string(state.app)), ("labels", .object(.init([("run", .string(id))]))),
                ("session", .string(state.session)),
                ("seq", .number(.init(state.seq))), ("mode", .string(replay ? "replay" : "state")), ("once", true),
            ])
            body["device"] = state.device.map(JSON.string)
            do {
                _ = try await json("PUT", "/api/v1/start-states", body: .object(body))
            } catch {
                notes.append("The state of \(state.app) can't be carried over: \(error)")
            }
        }
        return notes
    }

    /// Whether someone chose this launch state for the app: it takes precedence over the last state.
    private static func matches(_ other: JSON, _ state: LastState) -> Bool {
        other["app"]?.string == state.app && other["mode"]?.string != "latest"
            && (other["device"] == nil || other["device"]?.string == state.device)
            && (other["labels"]?.object ?? JSON.Object()).allSatisfy { state.labels[$0.key] == $0.value.string }
    }

    private func launchStates() async throws -> [JSON] {
        try await json("GET", "/api/v1/start-states")["startStates"]?.array ?? []
    }

    /// Whether an app of this run hasn't taken its launch state.
    func hasLaunchStates() async throws -> Bool {
        try await launchStates().contains { $0["labels"]?["run"]?.string == id }
    }

    /// Clears those that no app has taken.
    func clearLaunchStates() async throws {
        for state in try await launchStates() where state["labels"]?["run"]?.string == id {
            guard let id = state["id"]?.string else { continue }
            _ = try? await json("DELETE", "/api/v1/start-states?id=\(id)")
        }
    }
}
