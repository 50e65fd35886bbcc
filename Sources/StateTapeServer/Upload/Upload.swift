#if Server
    import Synchronization
    import TapeFormat
    import TapeSockets

    /// One upload: takes its body as it comes in, and answers.
    final class Upload: BodyTaker {
        private let uploads: Uploads
        private let exchange: HTTPExchange
        private let state: Mutex<UploadState>

        /// Nil if there are as many as may be.
        init?(_ uploads: Uploads, _ exchange: HTTPExchange) {
            guard uploads.enter() else { return nil }
            self.uploads = uploads
            self.exchange = exchange
            state = Mutex(UploadState(uploads, exchange.request))
        }

        deinit {
            uploads.leave()
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

        func broke() {
            state.withLock { $0.broke() }
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

    /// Answers an upload that isn't taken.
    final class RefusedUpload: BodyTaker {
        init(_ exchange: HTTPExchange) {
            exchange.respond(
                Problem(503, "full", "This server takes no more uploads at the moment.").response)
        }

        func take(_ piece: [UInt8]) {}
        func end() {}
        func broke() {}
    }
#endif
