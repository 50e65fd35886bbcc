/// Reads a request's head that arrives in pieces, each byte once. So a peer that sends single bytes costs no more
/// than another.
struct RequestHeadReader {
    private typealias Fault = RequestHead.Fault

    /// The start of the request, after empty lines.
    private var start = 0
    private var index = 0
    private var lineStart = 0
    private var line: RequestLine?
    private var headers: [Range<Int>] = []

    /// Continues to read; `bytes` starts with the bytes of the previous call.
    mutating func read(_ bytes: [UInt8], peer: String) -> RequestHead.Reading {
        do {
            return try advance(bytes, peer: peer)
        } catch {
            return .refused(error.response)
        }
    }

    private mutating func advance(_ bytes: [UInt8], peer: String) throws(Fault) -> RequestHead.Reading {
        let limit = RequestHead.limit
        while index < min(bytes.count, start + limit) {
            guard index > start || RequestHead.isToken(bytes[index]) || bytes[index] == 13 else {
                throw Fault(400, "The bytes are not an HTTP request.")
            }
            defer { index += 1 }
            guard bytes[index] == 10 else { continue }
            guard index > lineStart, bytes[index - 1] == 13 else {
                throw Fault(400, "A line must end with CR and LF.")
            }
            let found = lineStart..<index - 1
            lineStart = index + 1
            switch line {
            case nil where found.isEmpty:
                // One or two empty lines before a request are allowed, for old clients.
                guard start < 4 else { throw Fault(400, "The request line is empty.") }
                start = lineStart
            case nil:
                // Parsed at once, so that a bad request line is refused without waiting for the headers.
                line = try RequestLine(bytes[found])
            case let line? where found.isEmpty:
                let head = try RequestHead(line, headers: headers.map { bytes[$0] }, peer: peer)
                return .complete(head, count: lineStart)
            default: headers.append(found)
            }
        }
        guard bytes.count - start < limit else {
            throw line == nil
                ? Fault(414, "A request line can have at most \(limit) bytes.")
                : Fault(431, "The headers can have at most \(limit) bytes.")
        }
        return .incomplete
    }
}
