#if Server
    import TapeFormat
    import TapeSockets

    /// An error as RFC 9457 has it, with a `code` for programs.
    struct Problem: Error {
        let status: Int
        let code: String
        let detail: String
        var members: [(String, JSON)] = []

        init(_ status: Int, _ code: String, _ detail: String, _ members: [(String, JSON)] = []) {
            self.status = status
            self.code = code
            self.detail = detail
            self.members = members
        }

        /// Nothing can be written for now.
        static func unwritable(_ reason: String) -> Problem {
            Problem(503, "archive", "The archive can't be written: \(reason).")
        }

        var response: HTTPResponse {
            let document = JSON.Object(
                [
                    ("type", "about:blank"), ("title", .string(Self.title(status))),
                    ("status", .number(.init(status))), ("code", .string(code)), ("detail", .string(detail)),
                ] + members)
            return HTTPResponse(
                status: status, headers: [("content-type", "application/problem+json")] + Answer.headers,
                body: JSON.object(document).bytes)
        }

        private static func title(_ status: Int) -> String {
            switch status {
            case 400: "Bad Request"
            case 401: "Unauthorized"
            case 403: "Forbidden"
            case 404: "Not Found"
            case 409: "Conflict"
            case 413: "Content Too Large"
            case 421: "Misdirected Request"
            case 422: "Unprocessable Content"
            case 503: "Service Unavailable"
            case 504: "Gateway Timeout"
            default: "Error"
            }
        }
    }
#endif
