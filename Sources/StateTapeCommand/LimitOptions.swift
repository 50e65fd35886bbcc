import ArgumentParser
import StateTapeServer
import TapeFormat

/// The limits of a server.
struct LimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Maximum line length of a tape, and so of a whole state, from 64KiB to 256MiB.", valueName: "size"))
    var maxLine = ByteCount(bytes: Configuration.Limits().line)

    @Option(
        help: ArgumentHelp("Maximum size of a state after its patches, from 32MiB to 1GiB.", valueName: "size"))
    var maxState = ByteCount(bytes: Configuration.Limits().state)

    @Option(help: ArgumentHelp("Maximum size of an upload.", valueName: "size"))
    var maxUpload = ByteCount(bytes: Configuration.Limits().upload)

    @Option(help: ArgumentHelp("Maximum number of connected apps.", valueName: "n"))
    var maxApps = Configuration.Limits().apps

    @Option(help: ArgumentHelp("Maximum number of connected pages.", valueName: "n"))
    var maxViewers = Configuration.Limits().viewers

    @Option(
        help: ArgumentHelp(
            "Maximum number of connections from one IPv4 address or one IPv6 /64 network. Connections from this"
                + " machine, such as a proxy's, don't count.",
            valueName: "n"))
    var maxConnectionsPerAddress = Configuration.Limits().connectionsPerAddress

    func validate() throws {
        // The format forbids longer lines, and a hello needs this minimum.
        guard 64 << 10...Limits.line ~= maxLine.bytes else {
            throw ValidationError("--max-line must be from 64KiB to \(Limits.line >> 20)MiB.")
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
