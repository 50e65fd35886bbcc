import Testing

@testable import TapeFormat

@Suite("Splices of a text")
struct SpliceTests {
    private func splice(_ old: String, _ new: String) -> Splice? {
        var (old, new) = (old, new)
        return old.withUTF8 { old in new.withUTF8 { Splice(from: old, to: $0) } }
    }

    @Test("The bounds of a splice are between scalars, at any position and for any length")
    func property() throws {
        var random = SystemRandomNumberGenerator()
        let scalars = Array("ab\u{301}é😀😁中".unicodeScalars)
        func text(_ count: Int) -> String.UnicodeScalarView {
            var view = String.UnicodeScalarView()
            for _ in 0..<count { view.append(scalars[Int.random(in: 0..<scalars.count, using: &random)]) }
            return view
        }
        for _ in 0..<500 {
            let (head, tail) = (
                text(Int.random(in: 0..<30, using: &random)), text(Int.random(in: 0..<30, using: &random))
            )
            let (old, new) = (
                String(head + text(Int.random(in: 0..<3, using: &random)) + tail),
                String(head + text(Int.random(in: 0..<3, using: &random)) + tail)
            )
            guard let splice = splice(old, new) else {
                #expect(Array(old.utf8) == Array(new.utf8))
                continue
            }
            let (from, to) = (Array(old.utf8), Array(new.utf8))
            let parts = [from[..<splice.at], to[splice.inserted], from[(splice.at + splice.removed)...]]
            #expect(parts.flatMap(\.self) == to)
            for part in parts { #expect(String(validating: part, as: UTF8.self) != nil) }
        }
    }

    @Test("Equal texts have no splice, and a repetitive text has one")
    func edges() {
        #expect(splice("", "") == nil)
        #expect(splice("same text", "same text") == nil)
        #expect(splice("aaaa", "aaa")?.removed == 1)
        #expect(splice("", "new")?.inserted == 0..<3)
    }
}
