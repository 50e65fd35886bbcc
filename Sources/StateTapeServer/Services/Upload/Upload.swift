import TapeFormat
import TapeSockets

/// One upload: processes its body piece by piece, and answers.
final class Upload: BodyConsumer {
    private let uploads: Uploads
    private let exchange: HTTPExchange
    private let client: Requester
    private let state: Locked<UploadState>

    /// Nil if the limit of simultaneous uploads is reached.
    init?(_ uploads: Uploads, _ exchange: HTTPExchange, of client: Requester) {
        guard uploads.enter(client) else { return nil }
        self.client = client
        self.uploads = uploads
        self.exchange = exchange
        state = Locked(UploadState(uploads, exchange.request, of: client))
    }

    deinit {
        uploads.leave(client)
    }

    func take(_ piece: [UInt8]) {
        step { state throws -> HTTPResponse? in
            try state.take(piece)
            return nil
        }
    }

    func end() {
        step { state throws -> HTTPResponse? in try state.end() }
    }

    func peerDisconnected() {
        state.withLock { $0.peerDisconnected() }
    }

    private func step(_ body: (inout UploadState) throws -> HTTPResponse?) {
        state.withLock { state in
            do {
                if let response = try body(&state) { exchange.respond(response) }
            } catch {
                exchange.respond(state.fail(error).response)
            }
        }
    }
}

/// Refuses an upload.
final class RefusedUpload: BodyConsumer {
    init(_ exchange: HTTPExchange) {
        exchange.respond(
            Problem(503, "full", "Too many uploads are running; try again later.", retryAfter: .seconds(5))
                .response)
    }

    func take(_ piece: [UInt8]) {}
    func end() {}
    func peerDisconnected() {}
}
