import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
    import TapeFormat
#endif

/// The transport on Apple's platforms. It compiles on Linux, where Foundation has no WebSockets at run time.
final class URLSessionTransport: Transport {
    private let session: URLSession
    private let delegate = Delegate()

    init() {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: queue)
    }

    func connect(
        to address: Address, hear: @escaping @Sendable (TransportEvent) -> Void
    ) -> TransportConnection {
        guard let url = URL(string: address.url) else {
            hear(.closed(code: nil, reason: "\(address.url) is not a URL"))
            return TransportConnection(send: { _ in }, close: { _, _ in })
        }
        let task = session.webSocketTask(with: url, protocols: [AppLink.subprotocol])
        task.maximumMessageSize = AppLink.maxMessage
        let socket = Socket(task: task, hear: hear)
        delegate.sockets.withLock { $0[task.taskIdentifier] = socket }
        task.resume()
        socket.receive()
        return TransportConnection(send: { socket.send($0) }, close: { socket.close(code: $0, reason: $1) })
    }

    func stop() {
        session.invalidateAndCancel()
    }

    private final class Socket: Sendable {
        let task: URLSessionWebSocketTask
        private let hear: @Sendable (TransportEvent) -> Void
        private let sends = Locked((outstanding: 0, isClosed: false))

        init(task: URLSessionWebSocketTask, hear: @escaping @Sendable (TransportEvent) -> Void) {
            self.task = task
            self.hear = hear
        }

        func opened() {
            hear(.opened)
        }

        func closed(code: UInt16?, reason: String) {
            let isFirst = sends.withLock { state in
                defer { state.isClosed = true }
                return !state.isClosed
            }
            guard isFirst else { return }
            // A WebSocket's answer has the status 101.
            if code == nil, let response = task.response as? HTTPURLResponse, response.statusCode != 101 {
                let server = response.value(forHTTPHeaderField: "Server")
                hear(.declined(HTTPAnswer(status: response.statusCode, server: server)))
            } else {
                hear(.closed(code: code, reason: reason))
            }
        }

        func send(_ message: [UInt8]) {
            sends.withLock { $0.outstanding += 1 }
            task.send(.data(Data(message))) { [weak self] error in
                guard let self, error == nil else { return }
                let isDrained = sends.withLock { state in
                    state.outstanding -= 1
                    return state.outstanding == 0 && !state.isClosed
                }
                if isDrained { hear(.drained) }
            }
        }

        func close(code: UInt16, reason: String) {
            // URLSession accepts only codes that it knows.
            task.cancel(with: .init(rawValue: Int(code)) ?? .normalClosure, reason: Data(reason.utf8))
        }

        func receive() {
            task.receive { [weak self] result in
                guard let self, case .success(let message) = result else { return }
                switch message {
                case .data(let data): hear(.received(Array(data)))
                case .string(let text): hear(.received(Array(text.utf8)))
                @unknown default: break
                }
                receive()
            }
        }
    }

    private final class Delegate: NSObject, URLSessionWebSocketDelegate {
        let sockets = Locked<[Int: Socket]>([:])

        func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol subprotocol: String?
        ) {
            sockets.withLock { $0[webSocketTask.taskIdentifier] }?.opened()
        }

        func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
            didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
        ) {
            // Without a frame, or without a code in it, the connection was lost.
            let code = [0, 1005, 1006].contains(closeCode.rawValue) ? nil : UInt16(exactly: closeCode.rawValue)
            let text = reason.map { String(decoding: $0, as: UTF8.self) } ?? ""
            sockets.withLock { $0.removeValue(forKey: webSocketTask.taskIdentifier) }?.closed(code: code, reason: text)
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let socket = sockets.withLock { $0.removeValue(forKey: task.taskIdentifier) }
            socket?.closed(code: nil, reason: error.map { String(describing: $0) } ?? "the connection ended")
        }
    }
}
