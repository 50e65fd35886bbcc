import CText

/// Finds a text in bytes; ignores the case of ASCII letters.
package struct TextSearch: Sendable {
    private let text: [UInt8]

    package init(_ text: String) {
        self.text = Array(text.utf8)[...].folded
    }

    /// - Parameter bytes: Bytes with ASCII letters in lower case.
    package func isFound(inFolded bytes: ArraySlice<UInt8>) -> Bool {
        bytes.contains(text: text)
    }
}

extension ArraySlice<UInt8> {
    /// A copy with ASCII letters in lower case; indices start at 0.
    package var folded: [UInt8] {
        withUnsafeBufferPointer { source in
            [UInt8](unsafeUninitializedCapacity: source.count) { target, count in
                for place in source.indices { target[place] = UInt8(lower: source[place]) }
                count = source.count
            }
        }
    }

    /// Whether the bytes contain a text.
    func contains(text: [UInt8]) -> Bool {
        withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return text.isEmpty }
            return text.isEmpty || memmem(base, bytes.count, text, text.count) != nil
        }
    }
}

extension UInt8 {
    /// Converts an ASCII letter to lower case.
    init(lower byte: UInt8) {
        self = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
}
