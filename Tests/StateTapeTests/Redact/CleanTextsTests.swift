import Foundation
import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

@Suite("Texts in which nothing is redacted")
struct CleanTextsTests {
    private static let seed = ProcessInfo.processInfo.environment["STATETAPE_SEED"].flatMap(UInt64.init) ?? 1
    private static let parts = [
        "password", "pass", "word", ": ", "=", "hunter2", "\n", "\r\n", "\n\n", " ", "\"", "name", "value", "&", ", ",
        "{", "[",
        "Bearer ", "Basic ", "YW5uOmh1bnRlcjI=", "https://", "ann:hunter@host", "@", "%3D", "%0A", "%25", "api", "_key",
        ">",
        "name=\"", "; ", "--",
        "API", "Key", "é", "👩‍👩‍👧", "a line of some words", "\\", "'",
    ]

    @Test("After each of many edits, searching the changed lines finds what searching both texts finds")
    func edits() {
        var random = Seeded(Self.seed)
        var outcomes: [Bool: Int] = [:]
        for _ in 0..<40 {
            var clean = CleanTexts()
            var text = Array(repeating: "plain words and\n", count: 20).joined()
            for step in 0..<60 {
                var (old, new): (String, [Unicode.Scalar]) = (text, Array(text.unicodeScalars))
                let at = random.below(new.count + 1)
                let removed = min(random.below(6), new.count - at)
                let inserted = (0..<random.below(4)).map { _ in Self.parts[random.below(Self.parts.count)] }.joined()
                new.replaceSubrange(at..<at + removed, with: inserted.unicodeScalars)
                var edited = String(String.UnicodeScalarView(new))
                text = edited
                let splice = old.withUTF8 { old in edited.withUTF8 { Splice(from: old, to: $0) } }
                guard let splice else { continue }
                let redactor = Redactor.standard
                let expected = redactor.redacted(old) == nil && redactor.redacted(edited) == nil
                let found = clean.areClean(&old, &edited, splice, redactor)
                outcomes[expected, default: 0] += 1
                #expect(
                    found == expected,
                    "STATETAPE_SEED=\(Self.seed), step \(step): \(old.debugDescription) to \(edited.debugDescription)")
                // Most texts are clean, so that what is known of them is used.
                if !expected { text = old }
            }
        }
        #expect(outcomes[true, default: 0] > 500 && outcomes[false, default: 0] > 50, "\(outcomes)")
    }
}
