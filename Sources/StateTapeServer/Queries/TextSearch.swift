#if Server
    /// A text to find in bytes, whatever its case in ASCII (Horspool 1980).
    ///
    /// Where that compares more bytes than there are, as with `baaa` in a long line of `a`, the rest is searched in linear
    /// time (Knuth, Morris and Pratt 1977).
    struct TextSearch: Sendable {
        private let text: [UInt8]
        /// How far the text may move on when this byte stands under its last one.
        private let shifts: [Int]
        /// For each beginning of the text, how long its longest beginning is that is its end, too.
        private let borders: [Int]

        init(_ text: String) {
            let text = text.utf8.map(Self.lower)
            var shifts = [Int](repeating: max(1, text.count), count: 256)
            for (index, byte) in text.dropLast().enumerated() {
                shifts[Int(byte)] = text.count - 1 - index
                shifts[Int(Self.upper(byte))] = text.count - 1 - index
            }
            self.text = text
            self.shifts = shifts
            borders = Self.borders(of: text)
        }

        func isFound(in bytes: ArraySlice<UInt8>) -> Bool {
            let found = bytes.withUnsafeBufferPointer { bytes in
                text.withUnsafeBufferPointer { text in
                    shifts.withUnsafeBufferPointer { shifts in Self.find(text, shifts, bytes) }
                }
            }
            switch found {
            case .found: return true
            case .absent: return false
            case .unknown(let start): return isFoundLinearly(in: bytes.dropFirst(start))
            }
        }

        private enum Found {
            case found, absent
            /// It is not before this place; going on would take long.
            case unknown(from: Int)
        }

        private static func find(
            _ text: UnsafeBufferPointer<UInt8>, _ shifts: UnsafeBufferPointer<Int>, _ bytes: UnsafeBufferPointer<UInt8>
        ) -> Found {
            guard let final = text.last else { return .found }
            var end = text.count - 1
            var compared = 0
            while end < bytes.count {
                if lower(bytes[end]) == final {
                    var index = text.count - 2
                    while index >= 0, lower(bytes[end - text.count + 1 + index]) == text[index] { index -= 1 }
                    if index < 0 { return .found }
                    compared += text.count - 2 - index
                    if compared > bytes.count { return .unknown(from: end - text.count + 1) }
                }
                end += shifts[Int(bytes[end])]
            }
            return .absent
        }

        private func isFoundLinearly(in bytes: ArraySlice<UInt8>) -> Bool {
            var matched = 0
            for byte in bytes {
                let byte = Self.lower(byte)
                while matched > 0, text[matched] != byte { matched = borders[matched - 1] }
                if text[matched] == byte { matched += 1 }
                if matched == text.count { return true }
            }
            return false
        }

        private static func borders(of text: [UInt8]) -> [Int] {
            var borders = [Int](repeating: 0, count: text.count)
            var length = 0
            for index in text.indices.dropFirst() {
                while length > 0, text[length] != text[index] { length = borders[length - 1] }
                if text[length] == text[index] { length += 1 }
                borders[index] = length
            }
            return borders
        }

        static func lower(_ byte: UInt8) -> UInt8 {
            UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
        }

        private static func upper(_ byte: UInt8) -> UInt8 {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte & ~0x20 : byte
        }
    }
#endif
