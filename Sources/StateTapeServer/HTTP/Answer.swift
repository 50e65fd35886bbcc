#if Server
    import TapeFormat
    import TapeSockets

    /// Answers of the API.
    enum Answer {
        /// What every answer but the page's files carries.
        static let headers: [(String, String)] = [
            ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
            ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"), ("cache-control", "no-cache"),
        ]

        static func json(_ json: JSON, status: Int = 200, headers: [(String, String)] = []) -> HTTPResponse {
            HTTPResponse(
                status: status, headers: [("content-type", "application/json")] + headers + self.headers,
                body: json.bytes)
        }

        static func lines(_ body: [UInt8], headers: [(String, String)]) -> HTTPResponse {
            HTTPResponse(
                status: 200, headers: [("content-type", "application/x-ndjson")] + headers + self.headers, body: body)
        }

        static func empty(headers: [(String, String)] = []) -> HTTPResponse {
            HTTPResponse(status: 204, headers: headers + self.headers)
        }
    }
#endif
