package import TapeFormat

/// The state of a connected app, as its server last set it.
package struct LiveApp: Sendable, Equatable {
    package var recording: Bool
    package var locked: Bool
    /// How many of the locked app's own actions wait.
    package var queued: Int
    /// The replay of its launch state, while it runs.
    package var replay: JSON?
    /// The last replay that was begun in the running app.
    package var loop: JSON?

    package init(recording: Bool, locked: Bool, queued: Int, replay: JSON? = nil, loop: JSON? = nil) {
        (self.recording, self.locked, self.queued, self.replay, self.loop) = (recording, locked, queued, replay, loop)
    }

    /// What a page sets.
    package var json: JSON { ["recording": .bool(recording), "locked": .bool(locked)] }

    /// Everything, for other servers.
    package var whole: JSON {
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
    package init?(whole json: JSON) {
        guard let recording = json["recording"]?.bool, let locked = json["locked"]?.bool else { return nil }
        self.init(
            recording: recording, locked: locked, queued: json["queued"]?.int ?? 0, replay: json["replay"],
            loop: json["loop"])
    }
}
