#if os(Linux)
    import Foundation

    /// The answer to a ``PlainRequest``.
    package struct PlainAnswer: Sendable {
        /// Bytes of the head, and of all that come before it.
        private static let maxHead = 256 << 10

        package let status: Int
        package let headers: [(name: String, value: String)]
        /// Empty if a file took it.
        package private(set) var body: [UInt8] = []

        package subscript(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }

        /// Reads an answer to its end.
        ///
        /// - Throws: ``PlainFailure``; errors of `check`.
        init(
            _ connection: PlainConnection, to method: String, _ file: FileHandle?,
            _ check: (_ count: Int, FileHandle?) throws -> Void
        ) throws {
            var reader = Reader(connection: connection)
            var head = try reader.head()
            // Such as 100, which precedes the answer.
            while 100..<200 ~= head.status { head = try reader.head() }
            (status, headers) = head
            if method == "HEAD" || status == 204 || status == 304 { return }
            var body: [UInt8] = []
            let taker = status == 200 ? file : nil
            let take: ([UInt8]) throws -> Void = { piece in
                try check(body.count + piece.count, taker)
                guard let file = taker else {
                    body += piece
                    return
                }
                do {
                    try file.write(contentsOf: piece)
                } catch {
                    throw PlainFailure(.file, "the answer can't be written to a file: \(error.localizedDescription)")
                }
            }
            if self["transfer-encoding"]?.lowercased() == "chunked" {
                try reader.chunks(take)
            } else if let text = self["content-length"] {
                guard let length = Int(text), length >= 0 else { throw Reader.invalid }
                try reader.take(length, take)
            } else {
                try reader.rest(take)
            }
            self.body = body
        }

        /// Reads the parts of an answer.
        private struct Reader {
            static let invalid = PlainFailure(.invalidAnswer, "the answer is not HTTP")
            private static let long = PlainFailure(
                .invalidAnswer, "The head of the answer is longer than \(PlainAnswer.maxHead >> 10) KiB.")
            private static let early = PlainFailure(.lost, "the connection ended within the answer")

            let connection: PlainConnection
            private var buffer: [UInt8] = []
            /// The bytes of heads so far.
            private var headCount = 0

            init(connection: PlainConnection) {
                self.connection = connection
            }

            private mutating func fill() throws(PlainFailure) {
                let more = try connection.read()
                guard !more.isEmpty else { throw Self.early }
                buffer += more
            }

            /// The next line without its end.
            private mutating func line() throws(PlainFailure) -> String {
                var searched = 0
                while true {
                    if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                        let line = buffer[..<end]
                        buffer.removeSubrange(...end)
                        return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
                    }
                    searched = buffer.count
                    guard searched < PlainAnswer.maxHead else { throw Self.long }
                    try fill()
                }
            }

            /// The next line of a head.
            private mutating func headLine() throws(PlainFailure) -> String {
                let text = try line()
                headCount += text.utf8.count + 2
                guard headCount <= PlainAnswer.maxHead else { throw Self.long }
                return text
            }

            mutating func head() throws(PlainFailure) -> (status: Int, headers: [(name: String, value: String)]) {
                let first = try headLine().split(separator: " ", maxSplits: 2)
                guard first.count >= 2, first[0].hasPrefix("HTTP/1."), let status = Int(first[1]) else {
                    throw Self.invalid
                }
                var headers: [(name: String, value: String)] = []
                while true {
                    let text = try headLine()
                    if text.isEmpty { return (status, headers) }
                    guard let colon = text.firstIndex(of: ":") else { throw Self.invalid }
                    let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                    headers.append((String(text[..<colon]), value))
                }
            }

            mutating func take(
                _ length: Int, _ body: ([UInt8]) throws -> Void
            ) throws {
                var left = length
                while left > 0 {
                    if buffer.isEmpty { try fill() }
                    let piece = Array(buffer.prefix(left))
                    buffer.removeFirst(piece.count)
                    left -= piece.count
                    try body(piece)
                }
            }

            mutating func chunks(_ body: ([UInt8]) throws -> Void) throws {
                while true {
                    let size = try line().prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
                    guard let length = Int(size, radix: 16), length >= 0 else { throw Self.invalid }
                    if length == 0 { return }
                    try take(length, body)
                    guard try line().isEmpty else { throw Self.invalid }
                }
            }

            mutating func rest(_ body: ([UInt8]) throws -> Void) throws {
                while true {
                    if !buffer.isEmpty { try body(buffer) }
                    buffer = try connection.read()
                    if buffer.isEmpty { return }
                }
            }
        }
    }
#endif
