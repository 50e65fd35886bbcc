#if Server
    import TapeFormat

    /// What a connected app is doing, as the server last told it.
    struct LiveApp: Sendable {
        var recording: Bool
        var locked: Bool
        var replay: Replay?

        var json: JSON { ["recording": .bool(recording), "locked": .bool(locked)] }
    }
#endif
