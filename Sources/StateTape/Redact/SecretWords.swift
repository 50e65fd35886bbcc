/// Finds the words that make a name secret.
struct SecretWords: Sendable {
    /// The words by their first letter, the shorter ones first.
    private let byLetter: [[[UInt8]]]

    /// - Parameter words: In lower case, without anything between their letters.
    init(_ words: Set<String>) {
        var byLetter = [[[UInt8]]](repeating: [], count: 256)
        for word in words.map({ Array($0.utf8) }).sorted(by: { $0.count < $1.count }) {
            if let letter = word.first { byLetter[Int(letter)].append(word) }
        }
        self.byLetter = byLetter
    }

    /// Finds the first whole word in a text.
    ///
    /// - Parameter start: Where the search begins.
    func word(in text: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Range<Int>? {
        for index in start..<text.count {
            let words = byLetter[Int(text[index].lowercased)]
            guard !words.isEmpty, text.isBorder(index) else { continue }
            for word in words {
                if let end = end(of: word, at: index, in: text) { return index..<end }
            }
        }
        return nil
    }

    /// Reads on past the separators between words: `api_key` is the word `apikey`.
    private func end(of word: [UInt8], at start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = start + 1
        for letter in word.dropFirst() {
            while index < text.count, text[index].kind == .other { index += 1 }
            guard index < text.count, text[index].lowercased == letter else { return nil }
            index += 1
        }
        return text.isBorder(index) ? index : nil
    }
}

extension UInt8 {
    fileprivate enum Kind {
        case lower
        case upper
        case digit
        case other
    }

    fileprivate var kind: Kind {
        switch self {
        // Every letter beyond ASCII counts as lower case: names are folded before they reach this.
        case UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...: .lower
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): .upper
        case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
        default: .other
        }
    }

    fileprivate var lowercased: UInt8 { kind == .upper ? self | 0x20 : self }

    /// Whether the character may be part of a name in running text.
    fileprivate var isNamePart: Bool { kind != .other || self == UInt8(ascii: "_") || self == UInt8(ascii: "-") }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether a word may begin or end at an index.
    fileprivate func isBorder(_ index: Int) -> Bool {
        guard index > 0, index < count else { return true }
        switch (self[index - 1].kind, self[index].kind) {
        case (.lower, .lower), (.digit, .digit): return false
        // The last capital of several may belong to either side: `PINCode`, `PINcode`.
        case (.upper, .upper): return index + 1 < count && self[index + 1].kind == .lower
        case (.upper, .lower): return index > 1 && self[index - 2].kind == .upper
        default: return true
        }
    }

    /// The end of the name around an index, in running text.
    func nameEnd(from index: Int) -> Int {
        self[index...].firstIndex { !$0.isNamePart } ?? count
    }
}
