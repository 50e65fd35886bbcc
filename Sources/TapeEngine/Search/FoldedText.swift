import CText

/// A text to find in bytes, whatever the case of its letters.
struct FoldedText: Sendable {
    /// The UTF-8 bytes of each character: as given, in lower case and in upper case. ASCII has only lower case, because
    /// the searched bytes are folded.
    private let characters: [[[UInt8]]]
    /// The longest part with one spelling: bytes without it can't contain the text.
    private let fixed: [UInt8]

    init(_ text: String) {
        var (characters, runs): ([[[UInt8]]], [[UInt8]]) = ([], [[]])
        for scalar in text.unicodeScalars {
            let spellings = Self.spellings(of: scalar)
            characters.append(spellings)
            if spellings.count == 1 { runs[runs.count - 1] += spellings[0] } else { runs.append([]) }
        }
        self.characters = characters
        fixed = runs.max { $0.count < $1.count } ?? []
    }

    private static func spellings(of scalar: Unicode.Scalar) -> [[UInt8]] {
        guard !scalar.isASCII else { return [[UInt8(lower: UInt8(scalar.value))]] }
        let texts = [String(scalar), scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping]
        return texts.map { Array($0.utf8)[...].folded }.reduce(into: []) { known, spelling in
            if !known.contains(spelling) { known.append(spelling) }
        }
    }

    /// - Parameter bytes: Bytes with ASCII letters in lower case.
    func isFound(inFolded bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.contains(text: fixed) else { return false }
        guard characters.contains(where: { $0.count > 1 }) else { return true }
        return bytes.indices.contains { end(in: bytes, from: $0) != nil }
    }

    /// Whether folded bytes are this text and nothing else.
    func isSame(asFolded bytes: ArraySlice<UInt8>) -> Bool {
        end(in: bytes, from: bytes.startIndex) == bytes.endIndex
    }

    /// Where the text that begins at a position ends.
    private func end(in bytes: ArraySlice<UInt8>, from start: Int) -> Int? {
        var place = start
        for spellings in characters {
            guard let spelling = spellings.first(where: { bytes[place...].starts(with: $0) }) else { return nil }
            place += spelling.count
        }
        return place
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
        text.isEmpty || place(of: text) != nil
    }

    /// The index at which a text begins; nil if the bytes don't contain it, or if it is empty.
    func place(of text: [UInt8]) -> Int? {
        withUnsafeBufferPointer { bytes in
            guard !text.isEmpty, let base = bytes.baseAddress,
                let found = memmem(base, bytes.count, text, text.count)
            else { return nil }
            return startIndex + (UnsafeRawPointer(found) - UnsafeRawPointer(base))
        }
    }
}

extension UInt8 {
    /// Converts an ASCII letter to lower case.
    init(lower byte: UInt8) {
        self = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
}
