/// The head of an HTTP request, checked against the grammar of RFC 9112. Pure.
struct RequestHead {
    /// Bytes of the longest head, and of the longest request line.
    static let limit = 16 << 10
    /// The most headers of a request.
    static let maxHeaders = 100
    private static let methods: Set = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY",
    ]
    /// Headers that must not repeat. Otherwise a proxy and this server might read two different requests.
    private static let single: Set = [
        "host", "content-length", "transfer-encoding", "authorization", "origin", "content-type", "expect",
        "upgrade",
        "sec-fetch-site", "sec-websocket-key", "sec-websocket-version",
    ]

    let request: HTTPRequest
    let isHTTP11: Bool
    /// Bytes of the body that follows.
    let bodyLength: Int

    enum Reading {
        case incomplete
        /// The head, and its length in bytes.
        case complete(RequestHead, count: Int)
        /// The bytes are not a valid request.
        case refused(HTTPResponse)
    }

    /// Parses a complete head, or the start of one.
    static func read(_ bytes: [UInt8], peer: String) -> Reading {
        var reader = RequestHeadReader()
        return reader.read(bytes, peer: peer)
    }

    init(_ line: RequestLine, headers lines: [ArraySlice<UInt8>], peer: String) throws(Fault) {
        isHTTP11 = line.isHTTP11
        guard lines.count <= Self.maxHeaders else {
            throw Fault(431, "A request can have at most \(Self.maxHeaders) headers.")
        }
        var headers: [String: String] = [:]
        for line in lines {
            let (name, value) = try Self.header(line)
            if let before = headers[name] {
                guard !Self.single.contains(name) else {
                    throw Fault(400, "The header \(name) must not repeat.")
                }
                headers[name] = before + (name == "cookie" ? "; " : ", ") + value
            } else {
                headers[name] = value
            }
        }
        guard headers["host"] != nil || !isHTTP11 else { throw Fault(400, "The Host header is missing.") }
        if let authority = line.authority, authority != headers["host"] {
            throw Fault(400, "The request line and the Host header have different hosts.")
        }
        bodyLength = try Self.bodyLength(headers, isHTTP11: isHTTP11)
        guard Self.methods.contains(line.method) else { throw Fault(501, "\(line.method) is not supported.") }
        request = HTTPRequest(method: line.method, path: line.path, query: line.query, headers: headers, peer: peer)
    }

    private static func header(_ line: ArraySlice<UInt8>) throws(Fault) -> (name: String, value: String) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(isToken)
        else { throw Fault(400, "A header is malformed.") }
        let isBlank = { (byte: UInt8) in byte == 32 || byte == 9 }
        let value = line[(colon + 1)...].drop(while: isBlank)
        let end = value.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? value.startIndex
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        guard value[..<end].allSatisfy({ $0 >= 32 && $0 != 127 || $0 == 9 }),
            let text = String(utf8: value[..<end])
        else { throw Fault(400, "The header \(name) has invalid bytes.") }
        return (name, text)
    }

    private static func bodyLength(_ headers: [String: String], isHTTP11: Bool) throws(Fault) -> Int {
        if headers["transfer-encoding"] != nil {
            guard isHTTP11, headers["content-length"] == nil else {
                throw Fault(400, "A request can't have both content-length and transfer-encoding.")
            }
            throw Fault(411, "A body needs a content-length; chunked bodies are not supported.")
        }
        guard let given = headers["content-length"] else { return 0 }
        guard !given.isEmpty, given.utf8.allSatisfy({ (48...57).contains($0) }), let length = Int(given) else {
            throw Fault(400, "The content-length is not a number.")
        }
        return length
    }

    /// RFC 9110's `tchar`.
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// The answer to a bad request.
    struct Fault: Error {
        let response: HTTPResponse

        init(_ status: Int, _ sentence: String) {
            response = HTTPResponse(status: status, sentence)
        }
    }
}
