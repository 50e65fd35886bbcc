import Foundation
import TapeEngine
import TapeFormat
import TapeSockets

/// An error in the format of RFC 9457, with a `code` for programs.
struct Problem: Error, CustomStringConvertible {
    let status: Int
    let code: String
    let detail: String
    var members: [(String, JSON)] = []
    /// The delay before the answer is sent.
    var delay = Duration.zero
    /// When to come back.
    var retryAfter: Duration?

    init(
        _ status: Int, _ code: String, _ detail: String, _ members: [(String, JSON)] = [],
        retryAfter: Duration? = nil
    ) {
        self.status = status
        self.retryAfter = retryAfter
        self.code = code
        self.detail = detail
        self.members = members
    }

    /// What a log says of it.
    var description: String { detail }

    /// The archive can't be written, or for some requests can't be read, at the moment.
    static func unwritable(_ reason: String, for request: HTTPRequest? = nil) -> Problem {
        let verb = request.map { ["GET", "HEAD"].contains($0.method) } == true ? "read" : "written"
        return Problem(503, "archive", "The archive can't be \(verb): \(reason).")
    }

    /// A filter of the query is not valid.
    init(_ failure: EventFilter.Failure) {
        self.init(400, "bad-query", failure.description)
    }

    init(_ failure: TooLarge) {
        self.init(413, "too-large", failure.description, failure.members)
    }

    var response: HTTPResponse {
        let document = JSON.Object(
            [
                ("type", "about:blank"), ("title", .string(Self.title(status))),
                ("status", .number(.init(status))), ("code", .string(code)), ("detail", .string(detail)),
            ] + members)
        var response = HTTPResponse(
            status: status,
            // An app tells a server that refuses it from something else at its address.
            headers: [("content-type", "application/problem+json"), ("server", Release.name)] + Answer.headers,
            body: JSON.object(document).bytes)
        if status == 401 { response.headers.append(("www-authenticate", "Bearer")) }
        if let retryAfter { response.headers.append(("retry-after", "\(retryAfter.components.seconds)")) }
        response.delay = delay
        return response
    }

    /// Turns a plain-text error into a problem document.
    static func worded(_ response: HTTPResponse) -> HTTPResponse {
        guard response.status >= 400,
            response.headers.contains(where: { $0.0 == "content-type" && $0.1.hasPrefix("text/plain") })
        else { return response }
        let code =
            switch response.status {
            case 405: "method"
            case 408: "too-slow"
            case 411: "length"
            case 413, 414, 431: "too-long"
            case 501: "method"
            case 505: "http-version"
            case 500...: "internal"
            default: "bad-request"
            }
        let sentence = String(decoding: response.body, as: UTF8.self).trimmingCharacters(in: .newlines)
        var worded = Problem(response.status, code, sentence).response
        worded.headers += response.headers.filter { $0.0 != "content-type" }
        return worded
    }

    private static func title(_ status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 426: "Upgrade Required"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        default: "Error"
        }
    }
}
