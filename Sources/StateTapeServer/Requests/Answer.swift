import TapeFormat
import TapeSockets

/// The API's responses.
enum Answer {
    /// The headers of every response except the page's files.
    static let headers: [(String, String)] = [
        ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
        ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"), ("cache-control", "no-cache"),
        // Commands tell a server from something else at its address. A proxy may replace the header `server`.
        ("statetape", Release.version),
    ]

    static func json(_ json: JSON, status: Int = 200, headers: [(String, String)] = []) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [("content-type", "application/json")] + headers + self.headers,
            body: json.bytes)
    }

    /// - Parameter lasts: Whether clients may cache the body and revalidate it by its tag.
    static func body(_ body: [UInt8], type: String, lasts: Bool = true) -> HTTPResponse {
        let headers = self.headers.map { name, value in
            name == "cache-control" && !lasts ? (name, "no-store") : (name, value)
        }
        return HTTPResponse(status: 200, headers: [("content-type", type)] + headers, body: body)
    }

    static func empty(headers: [(String, String)] = []) -> HTTPResponse {
        HTTPResponse(status: 204, headers: headers + self.headers)
    }
}
