/// Finds the words that make a name secret. The words are stored as a tree of their letters.
final class WordTree: Sendable {
    private struct Node {
        let letter: UInt8
        /// Whether a word ends here.
        var isWord = false
        /// The first child and the next sibling; 0 for none.
        var below = 0
        var next = 0
    }

    /// The first node is the root.
    private let nodes: [Node]
    /// The first node for each letter; 0 if no word begins with it.
    private let first: [Int]
    /// By the low bits of a letter: the letters that may follow it at the start of a word. Most positions fail this
    /// test.
    private let pairs: [UInt32]

    /// - Parameter words: In lower case, without anything between their letters.
    init(_ words: Set<String>) {
        var nodes = [Node(letter: 0)]
        for word in words {
            var place = 0
            for letter in word.utf8 {
                var found = nodes[place].below
                while found != 0, nodes[found].letter != letter { found = nodes[found].next }
                if found == 0 {
                    found = nodes.count
                    nodes.append(Node(letter: letter, next: nodes[place].below))
                    nodes[place].below = found
                }
                place = found
            }
            if place != 0 { nodes[place].isWord = true }
        }
        var first = [Int](repeating: 0, count: 256)
        var place = nodes[0].below
        while place != 0 {
            first[Int(nodes[place].letter)] = place
            place = nodes[place].next
        }
        var pairs = [UInt32](repeating: 0, count: 32)
        for word in words {
            let letters = word.utf8.prefix(2).map { Int($0 & 31) }
            if let begin = letters.first { pairs[begin] |= letters.count > 1 ? 1 << UInt32(letters[1]) : .max }
        }
        self.nodes = nodes
        self.first = first
        self.pairs = pairs
    }

    /// Finds the first whole word in a text.
    ///
    /// - Parameter start: Where the search begins.
    func word(in text: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Range<Int>? {
        pairs.withUnsafeBufferPointer { pairs in
            for index in start..<text.count {
                let next = index &+ 1 < text.count ? text[index &+ 1] : 0
                guard pairs[Int(text[index] & 31)] &>> UInt32(next & 31) & 1 != 0 else { continue }
                if let end = end(ofWordAt: index, in: text) { return index..<end }
            }
            return nil
        }
    }

    /// Reads on past the separators between words: `api_key` is the word `apikey`.
    private func end(ofWordAt start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        var place = first[Int(text[start].lowercased)]
        guard place != 0, text.isBorder(start) else { return nil }
        var index = start + 1
        while true {
            if nodes[place].isWord, text.isBorder(index) { return index }
            while index < text.count, text[index].kind == .other { index += 1 }
            guard index < text.count else { return nil }
            let letter = text[index].lowercased
            place = nodes[place].below
            while place != 0, nodes[place].letter != letter { place = nodes[place].next }
            if place == 0 { return nil }
            index += 1
        }
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
