#if Server
    /// Reads the head of a request that comes in pieces, each byte once: a peer that sends it byte by byte costs no more than
    /// another.
    struct RequestHeadReader {
        private typealias Fault = RequestHead.Fault

        /// Where the request begins, behind empty lines.
        private var start = 0
        private var index = 0
        private var lineStart = 0
        private var line: RequestLine?
        private var headers: [Range<Int>] = []

        /// Reads on in what a peer has sent since its last request; `bytes` begins with what the call before was given.
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
                    throw Fault(400, "This is no request.")
                }
                defer { index += 1 }
                guard bytes[index] == 10 else { continue }
                guard index > lineStart, bytes[index - 1] == 13 else {
                    throw Fault(400, "A line ends without a carriage return.")
                }
                let found = lineStart..<index - 1
                lineStart = index + 1
                switch line {
                case nil where found.isEmpty:
                    // One or two before a request are allowed, from clients of old.
                    guard start < 4 else { throw Fault(400, "The request line is empty.") }
                    start = lineStart
                case nil:
                    // One that is wrong is refused without waiting for the rest.
                    line = try RequestLine(bytes[found])
                case let line? where found.isEmpty:
                    let head = try RequestHead(line, headers: headers.map { bytes[$0] }, peer: peer)
                    return .complete(head, count: lineStart)
                default: headers.append(found)
                }
            }
            guard bytes.count - start < limit else {
                throw line == nil
                    ? Fault(414, "A request line may have \(limit) bytes.")
                    : Fault(431, "The headers may have \(limit) bytes.")
            }
            return .incomplete
        }
    }
#endif
