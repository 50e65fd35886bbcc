internal import CTapeSockets

/// A complete response. `content-length`, `connection` and `date` are added when it is sent.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: [(String, String)]
    package var body: [UInt8]
    /// The delay before the response is sent. With any delay, the connection closes afterwards.
    package var delay = Duration.zero
    /// Exists until the response is sent, or the connection closed.
    package var held: (any Sendable)?

    package init(status: Int, headers: [(String, String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A response with one line of plain text.
    init(status: Int, _ text: String, headers: [(String, String)] = []) {
        self.init(
            status: status, headers: [("content-type", "text/plain; charset=utf-8")] + headers,
            body: Array((text + "\n").utf8))
    }
}

/// The status line and headers of a response.
package struct HTTPResponseHead: Sendable {
    package var status: Int
    package var headers: [(String, String)]

    package init(status: Int, headers: [(String, String)]) {
        self.status = status
        self.headers = headers
    }

    var bytes: [UInt8] {
        var text = "HTTP/1.1 \(status) \(Self.phrases[status] ?? "Status")\r\n"
        for (name, value) in headers {
            // A line break in a value would start another header, or the body.
            let isClean = !value.utf8.contains { $0 == 13 || $0 == 10 }
            text += "\(name): \(isClean ? value : String(value.map { $0.isNewline ? " " : $0 }))\r\n"
        }
        text += "date: \(Self.date)\r\n\r\n"
        return Array(text.utf8)
    }

    private static var date: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
            tape_http_date(buffer.baseAddress)
            return buffer.baseAddress.map { String(cString: $0) } ?? ""
        }
    }

    private static let phrases = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
        308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
        411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long",
        415: "Unsupported Media Type", 416: "Range Not Satisfiable", 421: "Misdirected Request",
        422: "Unprocessable Content",
        426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
        503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
        507: "Insufficient Storage",
    ]
}
