import TapeArchive
import TapeFormat
import TapeSockets

/// How a response is sent: with an entity tag, as 304 if the client has it, and compressed if the client accepts it.
struct Delivery: Sendable {
    /// Shorter bodies are not compressed.
    private static let minBytes = 1 << 10
    /// Longer bodies are not finished on the loop's thread. One of this length takes it 50 µs.
    private static let small = 4 << 10

    private let request: HTTPRequest
    private let wantsGzip: Bool
    private let minBytes: Int

    init(_ request: HTTPRequest) {
        self.request = request
        let accepted = AcceptEncoding(request.headers["accept-encoding"])
        wantsGzip = accepted.wantsGzip
        minBytes = accepted.refusesIdentity ? 1 : Self.minBytes
    }

    /// Whether finishing takes too long for the loop's thread.
    func isWork(_ answer: HTTPAnswer) -> Bool {
        if case .whole(let response) = answer { response.body.count > Self.small } else { false }
    }

    func finish(_ answer: HTTPAnswer) -> HTTPAnswer {
        switch answer {
        case .whole(let response): .whole(finish(response))
        case .stream(let head, let next): finish(head, next)
        }
    }

    private func finish(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        let compresses = compresses(response.headers, response.body.count)
        if isAsked(response.status), response.headers["cache-control"] == "no-cache",
            response.headers["etag"] == nil
        {
            response.headers.append(("etag", Self.tag(response)))
        }
        mark(&response.headers, compressed: compresses)
        if isHeld(response.status, response.headers) {
            return HTTPResponse(status: 304, headers: Self.withoutBody(response.headers))
        }
        if compresses, let body = try? Gzip().add(response.body, isLast: true) { response.body = body }
        return response
    }

    private func finish(_ head: HTTPResponseHead, _ next: @escaping @Sendable () throws -> [UInt8]?) -> HTTPAnswer {
        var head = head
        let compresses = compresses(head.headers, head.headers["content-length"].flatMap { Int($0) } ?? .max)
        mark(&head.headers, compressed: compresses)
        if isHeld(head.status, head.headers) {
            return .whole(HTTPResponse(status: 304, headers: Self.withoutBody(head.headers)))
        }
        guard compresses else { return .stream(head, next) }
        head.headers.removeAll { $0.0 == "content-length" }
        let body = CompressedBody(next)
        return .stream(head) { try body.next() }
    }

    private func isAsked(_ status: Int) -> Bool {
        status == 200 && ["GET", "HEAD"].contains(request.method)
    }

    private func compresses(_ headers: [(String, String)], _ count: Int) -> Bool {
        let type = headers["content-type"] ?? ""
        return wantsGzip && count >= minBytes && headers["content-encoding"] == nil
            && (type.hasPrefix("text/") || Self.types.contains { type.hasPrefix($0) })
    }

    /// Adds the `vary` header and the tag. Each coding of the content has a tag of its own.
    private func mark(_ headers: inout [(String, String)], compressed: Bool) {
        headers.append(("vary", "Accept-Encoding, Cookie"))
        guard compressed else { return }
        headers.append(("content-encoding", "gzip"))
        headers = headers.map { name, value in
            name == "etag" && value.hasSuffix("\"") ? (name, value.dropLast() + "-gzip\"") : (name, value)
        }
    }

    private func isHeld(_ status: Int, _ headers: [(String, String)]) -> Bool {
        isAsked(status) && headers["etag"].map { request.holds($0) } ?? false
    }

    private static func withoutBody(_ headers: [(String, String)]) -> [(String, String)] {
        headers.filter { !["content-type", "content-length", "content-encoding"].contains($0.0) }
    }

    /// A tag of the body and of the headers that belong to it: two lists with the same lines may continue differently.
    private static func tag(_ response: HTTPResponse) -> String {
        let own = response.headers.filter { $0.0.hasPrefix("StateTape-") }.map { "\($0.0):\($0.1)\n" }.joined()
        return "\"\(SHA256.hex(Array(own.utf8) + response.body).prefix(32))\""
    }

    /// Text types other than `text/…`.
    private static let types = [
        "application/json", "application/problem+json", "application/x-ndjson", "application/manifest+json",
        "image/svg+xml",
    ]
}

/// Compresses the pieces of a body as they arrive.
private final class CompressedBody: Sendable {
    private struct State {
        var gzip: Gzip?
        var isOver = false
    }

    private let source: @Sendable () throws -> [UInt8]?
    private let state = Locked(State())

    init(_ source: @escaping @Sendable () throws -> [UInt8]?) {
        self.source = source
    }

    func next() throws -> [UInt8]? {
        if state.withLock({ $0.isOver }) { return nil }
        let piece = try source()
        return try state.withLock { state in
            let gzip = try state.gzip ?? Gzip()
            state.gzip = gzip
            state.isOver = piece == nil
            return try gzip.add(piece ?? [], isLast: piece == nil)
        }
    }
}

extension [(String, String)] {
    fileprivate subscript(_ name: String) -> String? {
        first { $0.0.lowercased() == name }?.1
    }
}
