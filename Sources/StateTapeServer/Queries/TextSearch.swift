#if Server
    /// A text to find in bytes, whatever its case in ASCII (Horspool 1980).
    struct TextSearch: Sendable {
        private let text: [UInt8]
        /// How far the text may move on when this byte stands under its last one.
        private let shifts: [Int]

        init(_ text: String) {
            let text = text.utf8.map(Self.lower)
            var shifts = [Int](repeating: max(1, text.count), count: 256)
            for (index, byte) in text.dropLast().enumerated() {
                shifts[Int(byte)] = text.count - 1 - index
                shifts[Int(Self.upper(byte))] = text.count - 1 - index
            }
            self.text = text
            self.shifts = shifts
        }

        func isFound(in bytes: ArraySlice<UInt8>) -> Bool {
            bytes.withUnsafeBufferPointer { bytes in
                text.withUnsafeBufferPointer { text in
                    shifts.withUnsafeBufferPointer { shifts in Self.find(text, shifts, bytes) }
                }
            }
        }

        private static func find(
            _ text: UnsafeBufferPointer<UInt8>, _ shifts: UnsafeBufferPointer<Int>, _ bytes: UnsafeBufferPointer<UInt8>
        ) -> Bool {
            guard let final = text.last else { return true }
            var end = text.count - 1
            while end < bytes.count {
                if lower(bytes[end]) == final {
                    var index = text.count - 2
                    while index >= 0, lower(bytes[end - text.count + 1 + index]) == text[index] { index -= 1 }
                    if index < 0 { return true }
                }
                end += shifts[Int(bytes[end])]
            }
            return false
        }

        private static func lower(_ byte: UInt8) -> UInt8 {
            UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
        }

        private static func upper(_ byte: UInt8) -> UInt8 {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte & ~0x20 : byte
        }
    }
#endif
