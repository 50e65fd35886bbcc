import Foundation
import TapeFormat

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request with Foundation. It follows redirections to the same server only, since another one must not get the
/// token, and ends an answer that is too long.
final class Transfer: NSObject, URLSessionDataDelegate {
    typealias Answer = (data: Data, response: URLResponse)

    private struct State {
        /// The body as it came: to copy each piece behind the others would take longer than to receive it.
        var pieces: [Data] = []
        var count = 0
        var redirects = 0
        var then: CheckedContinuation<Answer, any Error>?
    }

    static let maxRedirects = 5

    private let file: FileHandle?
    private let limit: AnswerLimit
    private let sent: @Sendable (Int64, Int64) -> Void
    private let state = Locked(State())

    /// - Parameters:
    ///   - file: Takes the body of an answer with status 200; without it the answer has each body.
    ///   - limit: For an answer in memory.
    ///   - sent: Called with the bytes of the body that were sent, and their total.
    init(
        into file: FileHandle? = nil, limit: AnswerLimit = .short,
        sent: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
    ) {
        (self.file, self.limit, self.sent) = (file, limit, sent)
    }

    /// - Parameter body: A file to send.
    func send(
        _ request: URLRequest, _ configuration: URLSessionConfiguration, body: URL? = nil
    ) async throws -> Answer {
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let task = body.map { session.uploadTask(with: request, fromFile: $0) } ?? session.dataTask(with: request)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { then in
                state.withLock { $0.then = then }
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let (old, new) = (task.currentRequest?.url ?? task.originalRequest?.url, request.url)
        let isSame = old.map { new?.isOnSameServer(as: $0) ?? false } ?? false
        let number = state.withLock { state in
            state.redirects += 1
            return state.redirects
        }
        // Without a request the redirection itself is the answer.
        completionHandler(isSame && number <= Self.maxRedirects ? request : nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        sent(totalBytesSent, totalBytesExpectedToSend)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let status = (dataTask.response as? HTTPURLResponse)?.statusCode
        do {
            if let file, status == 200 {
                try AnswerLimit.check(file)
                try file.write(contentsOf: data)
            } else {
                try state.withLock { [limit] state in
                    guard state.then != nil else { return }
                    state.count += data.count
                    try limit.check(state.count)
                    state.pieces.append(data)
                }
            }
        } catch {
            // The command doesn't wait for the end of what it has refused.
            end(.failure(error))
            session.invalidateAndCancel()
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error { return end(.failure(error)) }
        guard let response = task.response else { return end(.failure(URLError(.badServerResponse))) }
        end(.success((Data(state.withLock { $0.pieces.joined() }), response)))
    }

    /// Only the first end counts.
    private func end(_ result: Result<Answer, any Error>) {
        let then = state.withLock { state in
            defer { (state.then, state.pieces) = (nil, []) }
            return state.then
        }
        then?.resume(with: result)
    }
}

extension URL {
    /// Whether it has the same scheme, host and port.
    func isOnSameServer(as other: URL) -> Bool {
        func port(_ url: URL) -> Int? { url.port ?? ["http": 80, "https": 443][url.scheme ?? ""] }
        return scheme == other.scheme && host == other.host && port(self) == port(other)
    }
}
