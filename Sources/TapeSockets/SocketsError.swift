/// Why a loop could not start, or a listener could not listen, for a person.
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

    /// The message, e.g. `This user may not listen on port 80 of 127.0.0.1.`
    package let description: String

    private init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// The package was built without libwebsockets.
    package static var unavailable: Self {
        Self(.unavailable, "This build has no sockets: it was made without libwebsockets.")
    }

    /// Another process listens on the port.
    package static func portInUse(host: String, port: Int) -> Self {
        Self(
            .portInUse,
            "Port \(port) on \(host) is already in use. Stop the program that listens there, or choose another port with"
                + " --listen.")
    }

    /// The host is not an address of this machine, or not an address at all.
    package static func addressNotAvailable(host: String, reason: String) -> Self {
        Self(.addressNotAvailable, "Can't listen on \(host): \(reason).")
    }

    /// The system requires more rights for this port (ports below 1024).
    package static func notPermitted(host: String, port: Int) -> Self {
        Self(.notPermitted, "This user may not listen on port \(port) of \(host).")
    }

    /// The certificate or its key can't be read, or they don't match.
    package static func certificate(_ reason: String) -> Self {
        Self(.certificate, "The TLS certificate can't be used: \(reason).")
    }

    /// Any other failure of the system or the library.
    package static func failed(_ reason: String) -> Self {
        Self(.failed, reason)
    }

    /// Whether two errors are of the same kind, whatever their messages.
    package static func ~= (pattern: Self, error: any Error) -> Bool {
        (error as? Self)?.code == pattern.code
    }
}
