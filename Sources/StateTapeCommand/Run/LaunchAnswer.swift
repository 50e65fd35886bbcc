import TapeFormat

/// What an app said about its launch state.
struct LaunchAnswer: Sendable {
    /// Paths that the state lacked, and those that the app doesn't know.
    var filled: [String] = []
    var ignored: [String] = []
    /// Members that no tape has, with the values of the app's initial state.
    var kept: [String] = []
    /// Places whose values the app could not keep, with the reason.
    var lost: [String] = []
    /// Secrets, which no tape has, with what stands in their place.
    var secrets: [String] = []
    /// Why the app didn't apply the state.
    var failure: String?

    /// Whether the new app lacks something of the old state.
    var isPartial: Bool { failure != nil || !lost.isEmpty }

    init() {}

    /// - Parameter run: As the server lists it.
    init(_ run: JSON) {
        filled = run["filled"]?.array?.compactMap(\.string) ?? []
        ignored = run["ignored"]?.array?.compactMap(\.string) ?? []
        kept = run["kept"]?.array?.compactMap(\.string) ?? []
        let places = (run["lost"]?.array ?? []).map(LostPlace.init)
        lost = places.filter { !$0.isSecret }.map(\.text)
        secrets = places.filter(\.isSecret).map(\.text)
        failure = run["startFailed"]?["message"]?.string.map { message in
            message + (run["startFailed"]?["path"]?.string.map { " (at \($0.isEmpty ? "the top" : $0))" } ?? "")
        }
    }

    var notes: [String] {
        [
            lost.isEmpty ? nil : "Lost: \(lost.joined(separator: "\n      "))",
            secrets.isEmpty ? nil : "Secrets, not on the tape: \(secrets.joined(separator: "\n      "))",
            filled.isEmpty ? nil : "Filled in from the app's initial state: \(filled.joined(separator: " "))",
            kept.isEmpty ? nil : "Kept, the app's own values: \(kept.joined(separator: " "))",
            ignored.isEmpty ? nil : "Ignored, unknown to the app: \(ignored.joined(separator: " "))",
            failure.map { "The old state could not be applied: \($0)" },
            isPartial ? "The old state is kept for the next build, unless you use the app." : nil,
        ].compactMap { $0 }
    }
}

extension RunServer {
    /// What the app answered, once it has, or after a second: a replay takes longer.
    func launchAnswer() async -> LaunchAnswer {
        let end = ContinuousClock.now + .seconds(1)
        while (try? await hasLaunchStates()) == true, ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(5))
        }
        let runs = try? await json("GET", "/api/v1/runs")["runs"]?.array
        return runs?.first { $0["id"]?.string == id }.map(LaunchAnswer.init) ?? LaunchAnswer()
    }

    /// Whether any of the sessions has an action.
    func haveActions(_ states: [LastState]) async throws -> Bool {
        for state in states {
            let path = "/api/v1/sessions/\(state.session)/matches?type=%2A"
            if try await json("GET", path)["seqs"]?.array?.isEmpty == false { return true }
        }
        return false
    }
}
