import TapeSockets

/// Why a server did not start, with what to change, in one sentence.
package struct ServerError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: Sendable, Equatable {
        case portInUse, address, certificate, sockets, dataFolder, dataInUse, newerDatabase, archive, database
    }

    package let code: Code
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    init(_ error: SocketsError) {
        let code: Code =
            switch error {
            case SocketsError.portInUse(host: "", port: 0): .portInUse
            case SocketsError.addressNotAvailable(host: "", reason: ""): .address
            case SocketsError.certificate(""): .certificate
            default: .sockets
            }
        self.init(code, error.description)
    }
}
