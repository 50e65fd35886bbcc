#if Server
    import ArgumentParser
    import StateTapeServer

    /// How much a server takes.
    struct LimitOptions: ParsableArguments {
        @Option(help: ArgumentHelp("The longest line of a tape, 64 KiB to 16 MiB.", valueName: "size"))
        var maxLine = ByteCount(bytes: Configuration.Limits().line)

        @Option(help: ArgumentHelp("The largest state that patches make, 32 MiB to 1 GiB.", valueName: "size"))
        var maxState = ByteCount(bytes: Configuration.Limits().state)

        @Option(help: ArgumentHelp("The largest upload.", valueName: "size"))
        var maxUpload = ByteCount(bytes: Configuration.Limits().upload)

        @Option(help: ArgumentHelp("Apps that may be connected at once.", valueName: "n"))
        var maxApps = Configuration.Limits().apps

        @Option(help: ArgumentHelp("Pages that may be connected at once.", valueName: "n"))
        var maxViewers = Configuration.Limits().viewers

        @Option(
            help: ArgumentHelp(
                "Connections from one address at once, or of IPv6 from one network of 64 bits; those from this machine,"
                    + " as a proxy's, are not counted.",
                valueName: "n"))
        var maxConnectionsPerAddress = Configuration.Limits().connectionsPerAddress

        func validate() throws {
            // No longer one would be a tape elsewhere, and a hello must fit.
            guard 64 << 10...Configuration.Limits().line ~= maxLine.bytes else {
                throw ValidationError("--max-line must be from 64KiB to 16MiB, as long as a tape's lines may be.")
            }
            guard 32 << 20...1 << 30 ~= maxState.bytes else {
                throw ValidationError("--max-state must be from 32MiB to 1GiB.")
            }
            guard maxUpload.bytes > 0, maxApps > 0, maxViewers > 0, maxConnectionsPerAddress > 0 else {
                throw ValidationError(
                    "--max-upload, --max-apps, --max-viewers and --max-connections-per-address must be above 0.")
            }
        }

        var limits: Configuration.Limits {
            var limits = Configuration.Limits()
            limits.line = maxLine.bytes
            limits.state = maxState.bytes
            limits.upload = maxUpload.bytes
            limits.apps = maxApps
            limits.viewers = maxViewers
            limits.connectionsPerAddress = maxConnectionsPerAddress
            return limits
        }
    }
#endif
