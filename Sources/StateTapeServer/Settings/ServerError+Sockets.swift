import TapeArchive
import TapeSockets

extension ServerError {
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
