import TapeFormat

/// The state of a connected app, as its server last set it.
struct LiveApp: Sendable, Equatable {
    var recording: Bool
    var locked: Bool
    /// How many of the locked app's own actions wait.
    var queued: Int
    /// The replay of its launch state, while it runs.
    var replay: JSON?
    /// The last replay that was begun in the running app.
    var loop: JSON?

    /// What a page sets.
    var json: JSON { ["recording": .bool(recording), "locked": .bool(locked)] }

    /// Everything, for other servers.
    var whole: JSON {
        var json = JSON.Object([
            ("recording", .bool(recording)), ("locked", .bool(locked)), ("queued", .number(.init(queued))),
        ])
        json["replay"] = replay
        json["loop"] = loop
        return .object(json)
    }
}

extension LiveApp {
    /// Nil if another version's server has written it in another form.
    init?(whole json: JSON) {
        guard let recording = json["recording"]?.bool, let locked = json["locked"]?.bool else { return nil }
        self.init(
            recording: recording, locked: locked, queued: json["queued"]?.int ?? 0, replay: json["replay"],
            loop: json["loop"])
    }
}
