/// Finds the words that make a name secret.
struct SecretWords: Sendable {
    /// The words by their first letter, the shorter ones first.
    private let byLetter: [[[UInt8]]]
    /// A bit for the low five bits of each first letter: most positions of a text are passed over by it alone.
    private let letters: UInt32
    /// The same for the second letters, by the first one.
    private let secondLetters: [UInt32]
    private let isForText: Bool

    /// - Parameters:
    ///   - words: In lower case, without anything between their letters.
    ///   - isForText: Whether running text is searched. There, a word's letters stand together, but for a space, a plus, a
    ///     dot, a dash or an underscore: the end of one sentence and the start of the next make no word.
    init(_ words: Set<String>, isForText: Bool = false) {
        self.isForText = isForText
        var byLetter = [[[UInt8]]](repeating: [], count: 256)
        for word in words.map({ Array($0.utf8) }).sorted(by: { $0.count < $1.count }) {
            if let letter = word.first { byLetter[Int(letter)].append(word) }
        }
        self.byLetter = byLetter
        letters = words.reduce(into: 0) { $0 |= 1 << UInt32(($1.utf8.first ?? 0) & 31) }
        secondLetters = byLetter.map { words in
            words.reduce(into: 0) { $0 |= $1.count > 1 ? 1 << UInt32($1[1] & 31) : .max }
        }
    }

    var isEmpty: Bool { letters == 0 }

    /// Finds the first whole word in a text.
    ///
    /// - Parameter start: Where the search begins.
    func word(in text: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Range<Int>? {
        guard start < text.count else { return nil }
        for index in start..<text.count where letters & 1 << UInt32(text[index] & 31) != 0 {
            guard mayBegin(at: index, in: text), text.isBorder(index) else { continue }
            for word in byLetter[Int(text[index].lowercased)] {
                if let end = end(of: word, at: index, in: text) { return index..<end }
            }
        }
        return nil
    }

    /// How far a name is a secret's.
    func naming(of name: UnsafeBufferPointer<UInt8>) -> Naming {
        var naming = Naming.none
        for index in name.indices where letters & 1 << UInt32(name[index] & 31) != 0 {
            guard mayBegin(at: index, in: name), name.isBorder(index) else { continue }
            for word in byLetter[Int(name[index].lowercased)] {
                guard let end = end(of: word, at: index, in: name) else { continue }
                if name.endsPart(at: end) { return .whole }
                naming = .within
            }
        }
        return naming
    }

    /// Whether the first two letters may be a word's.
    private func mayBegin(at index: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard index + 1 < text.count, text[index + 1].kind != .other else { return true }
        return secondLetters[Int(text[index].lowercased)] & 1 << UInt32(text[index + 1] & 31) != 0
    }

    /// Reads on past what separates words: `api_key` is the word `apikey`.
    private func end(of word: [UInt8], at start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = start + 1
        for letter in word.dropFirst() {
            if isForText {
                if index < text.count, " .-_+".utf8.contains(text[index]) { index += 1 }
            } else {
                while index < text.count, text[index].kind == .other { index += 1 }
            }
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

    var lowercased: UInt8 { kind == .upper ? self | 0x20 : self }

    /// Whether the character may be part of a name in running text.
    var isNamePart: Bool { kind != .other || self == UInt8(ascii: "_") || self == UInt8(ascii: "-") }
}

/// How far a name that a value says is a secret's.
enum Naming: UInt8, Comparable {
    case none
    /// A word of it is: `passwordHint`, `tokenCount`.
    case within
    /// It ends with such a word, or a part of the path does that it is: `newPassword`, `user.token.text`.
    case whole

    static func < (left: Naming, right: Naming) -> Bool { left.rawValue < right.rawValue }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether no letter follows in the same part of a path.
    fileprivate func endsPart(at index: Int) -> Bool {
        for byte in self[index...] {
            switch byte {
            case UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "["), UInt8(ascii: "\\"): return true
            default: if byte.kind == .lower || byte.kind == .upper { return false }
            }
        }
        return true
    }

    /// Whether a word may begin or end at an index.
    func isBorder(_ index: Int) -> Bool {
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
