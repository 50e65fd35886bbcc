import FoundationEssentials
import TapeSockets

extension Listener.Options {
    /// - Parameter connections: How many connections the process has descriptors for.
    init(_ configuration: Configuration, connections: Int) {
        self.init()
        tlsCertificate = configuration.tlsCertificate?.path
        tlsKey = configuration.tlsKey?.path
        maxMessage = configuration.limits.line
        spool = configuration.data
        maxBody = max(maxBody, configuration.limits.line)
        pingAfter = configuration.timing.ping
        dropAfter = configuration.timing.drop
        bodyWindow = configuration.timing.body
        minBodyRate = configuration.limits.bodyRate
        maxPerAddress = configuration.limits.connectionsPerAddress
        maxLocal = configuration.limits.localConnections
        maxConnections = connections
    }
}
