/// Why a loop could not start or an address could not be listened on: one clear sentence for a person.
package struct SocketsError: Error, Sendable, Equatable, CustomStringConvertible {
    private enum Code: Sendable {
        case unavailable
        case portInUse
        case addressNotAvailable
        case notPermitted
        case certificate
        case failed
    }

    private let code: Code

    /// The sentence to show, e.g. `Port 8080 on 127.0.0.1 is already in use.`
    package let description: String

    private init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// libwebsockets was not there when the package was built.
    package static var unavailable: Self {
        Self(.unavailable, "This build has no sockets: it was made without libwebsockets.")
    }

    /// Something else listens on that port.
    package static func portInUse(host: String, port: Int) -> Self {
        Self(.portInUse, "Port \(port) on \(host) is already in use.")
    }

    /// The host is no address of this machine, or no address at all.
    package static func addressNotAvailable(host: String, reason: String) -> Self {
        Self(.addressNotAvailable, "Can't listen on \(host): \(reason).")
    }

    /// The system lets only others listen there (ports below 1024).
    package static func notPermitted(host: String, port: Int) -> Self {
        Self(.notPermitted, "This user may not listen on port \(port) of \(host).")
    }

    /// The certificate or its key can't be read or don't belong together.
    package static func certificate(_ reason: String) -> Self {
        Self(.certificate, "The TLS certificate can't be used: \(reason).")
    }

    /// Anything else the system or the library refused.
    package static func failed(_ reason: String) -> Self {
        Self(.failed, reason)
    }

    /// Whether two errors are of one kind, whatever their sentences say.
    package static func ~= (pattern: Self, error: any Error) -> Bool {
        (error as? Self)?.code == pattern.code
    }
}
