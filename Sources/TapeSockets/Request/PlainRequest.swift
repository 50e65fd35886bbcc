#if os(Linux)
    package import Foundation

    /// One HTTP/1.1 request without TLS, over a connection of its own, and never through a proxy.
    ///
    /// Foundation's `URLSession` on Linux sends even requests to this machine to the proxy in `http_proxy`, and can't
    /// reach an IPv6 address.
    package struct PlainRequest: Sendable {
        package enum Body: Sendable {
            case bytes([UInt8])
            /// The path of a file.
            case file(String)
        }

        package let method: String
        /// A name or an address; one of IPv6 without brackets.
        package let host: String
        package let port: Int
        /// The path with the query.
        package let target: String
        package var headers: [(name: String, value: String)]
        package let body: Body
        /// The longest wait for the peer.
        package let timeout: Duration

        package init(
            _ method: String, host: String, port: Int, target: String, headers: [(name: String, value: String)] = [],
            body: Body = .bytes([]), timeout: Duration = .seconds(60)
        ) {
            self.method = method
            self.host = host
            self.port = port
            self.target = target
            self.headers = headers
            self.body = body
            self.timeout = timeout
        }

        /// Sends the request, and reads the answer.
        ///
        /// - Parameters:
        ///   - file: Takes the body of an answer with status 200; without it the answer has each body.
        ///   - check: Called before each piece of a body with the bytes so far, and the file if that takes them. It throws if
        ///     the answer is too long.
        ///   - sent: Called with the bytes of the body that were sent.
        /// - Throws: ``PlainFailure``
        package func send(
            into file: FileHandle? = nil,
            check: @escaping @Sendable (_ count: Int, FileHandle?) throws -> Void = { _, _ in },
            sent: @escaping @Sendable (Int) -> Void = { _ in }
        ) async throws -> PlainAnswer {
            let connection = PlainConnection(timeout: timeout)
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    Thread.detachNewThread {
                        continuation.resume(with: Result { try exchange(connection, file, check, sent) })
                    }
                }
            } onCancel: {
                connection.cancel()
            }
        }

        private func exchange(
            _ connection: PlainConnection, _ file: FileHandle?, _ check: (Int, FileHandle?) throws -> Void,
            _ sent: (Int) -> Void
        ) throws -> PlainAnswer {
            try connection.open(host, port)
            defer { connection.close() }
            do {
                try write(to: connection, sent)
            } catch let failure where failure.isLost {
                // A server that refuses a request may close before it has read all of it; its answer says why.
                do { return try PlainAnswer(connection, to: method, file, check) } catch let other as PlainFailure
                    where other.isLost
                { throw failure }
            }
            return try PlainAnswer(connection, to: method, file, check)
        }

        private func write(to connection: PlainConnection, _ sent: (Int) -> Void) throws(PlainFailure) {
            var file: FileHandle?
            let length: Int
            switch body {
            case .bytes(let bytes): length = bytes.count
            case .file(let path):
                file = FileHandle(forReadingAtPath: path)
                guard let end = try? file?.seekToEnd(), (try? file?.seek(toOffset: 0)) != nil else {
                    throw PlainFailure(.file, "\(path) can't be read")
                }
                length = Int(end)
            }
            let name = host.contains(":") ? "[\(host)]" : host
            var lines = ["\(method) \(target) HTTP/1.1", "Host: \(name):\(port)", "Connection: close"]
            if length > 0 || method != "GET" { lines.append("Content-Length: \(length)") }
            lines += headers.map { "\($0.name): \($0.value)" }
            try connection.write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
            if case .bytes(let bytes) = body { try connection.write(bytes) }
            var count = 0
            while count < length, let piece = try? file?.read(upToCount: min(256 << 10, length - count)), !piece.isEmpty
            {
                try connection.write([UInt8](piece))
                count += piece.count
                sent(count)
            }
        }
    }

    /// Why a request has no answer.
    package struct PlainFailure: Error, CustomStringConvertible {
        package enum Kind: Sendable {
            case unknownHost, unreachable, lost, timedOut, invalidAnswer, file
        }

        package let kind: Kind
        package let description: String

        init(_ kind: Kind, _ description: String) {
            self.kind = kind
            self.description = description
        }

        fileprivate var isLost: Bool { kind == .lost }
    }
#endif
