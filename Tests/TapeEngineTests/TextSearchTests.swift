import SampleTapes
import Testing

@testable import TapeEngine

@Suite(.timeLimit(.minutes(1))) struct TextSearchTests {
    /// A simple implementation as the reference.
    private func isFound(_ text: String, in bytes: [UInt8]) -> Bool {
        let (text, line) = (text.lowercased(), String(decoding: bytes, as: UTF8.self).lowercased())
        return text.isEmpty || line.contains(text)
    }

    @Test("A text is found at each position")
    func same() {
        var chance = Chance(5)
        for _ in 0..<3_000 {
            let line = (0..<Int.random(in: 0...60, using: &chance)).map { _ in
                UInt8(ascii: "aAb".randomElement(using: &chance)?.unicodeScalars.first ?? "a")
            }
            let text = String(
                (0..<Int.random(in: 0...9, using: &chance)).map { _ in
                    "abB".randomElement(using: &chance) ?? "a"
                })
            #expect(TextSearch(text).isFound(inFolded: line[...].folded[...]) == isFound(text, in: line), "\(text)")
            let framed = [1] + line + [UInt8(ascii: "a")]
            #expect(
                TextSearch(text).isFound(inFolded: framed[1...].dropLast().folded[...]) == isFound(text, in: line),
                "\(text)")
        }
    }

    @Test("A text is found at each position, ignoring case")
    func places() {
        let bytes = Array("abcABDabé😀".utf8)[...].folded
        for text in ["a", "abc", "BDA", "cab", "é", "é😀", "abcabdabé😀", "", "É", "bÉ😀"] {
            #expect(TextSearch(text).isFound(inFolded: bytes[...]), "\(text)")
        }
        for text in ["abd😀", "cc", "abcabdabé😀x", "è"] {
            #expect(!TextSearch(text).isFound(inFolded: bytes[...]), "\(text)")
        }
        #expect(!TextSearch("abc").isFound(inFolded: bytes[1..<5]))
    }

    @Test("The search for a long text with many near matches takes linear time")
    func linear() {
        let line = [UInt8](repeating: UInt8(ascii: "a"), count: 4 << 20)
        let search = TextSearch("b" + String(repeating: "a", count: 999))
        #expect(!search.isFound(inFolded: line[...]))
        #expect(search.isFound(inFolded: (line + Array("b".utf8) + line)[...]))
    }
}
