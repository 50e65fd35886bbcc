#if Server
    import TapeFormat

    /// A message split between its lines, so that a long message alternates with those of other apps. Pure.
    struct MessageSlices {
        /// Bytes of a slice, plus the rest of its last line.
        static let bytes = 128 << 10

        private let message: [UInt8]
        private var start = 0

        init(_ message: [UInt8]) {
            self.message = message
        }

        var isEmpty: Bool { start >= message.count }

        /// The lines of the next slice.
        mutating func next() -> [[UInt8]] {
            let most = min(start + Self.bytes, message.count)
            let end = message[most...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? message.count
            defer { start = end }
            return start == 0 && end == message.count ? message.lines : Array(message[start..<end]).lines
        }
    }
#endif
