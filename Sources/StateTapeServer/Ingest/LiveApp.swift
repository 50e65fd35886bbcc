#if Server
    import TapeFormat

    /// The state of a connected app, as the server last set it.
    struct LiveApp: Sendable {
        var recording: Bool
        var locked: Bool
        /// How many of the locked app's own actions wait.
        var queued: Int
        var replay: Replay?
        /// The last replay that was begun in the running app.
        var loop: Replay?

        var json: JSON { ["recording": .bool(recording), "locked": .bool(locked)] }
    }
#endif
