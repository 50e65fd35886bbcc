import Testing

@testable import TapeFormat

@Suite("Text of others for a terminal or a log") struct ForeignTextTests {
    @Test(
        "What moves the cursor, colors the text, changes its direction or is invisible is written out",
        arguments: [
            ("plain é 日本 😀 👩‍👩‍👧", "plain é 日本 😀 👩‍👩‍👧"), ("a\nb\r\nc\td", "a\\nb\\r\\nc\\td"),
            ("\u{1b}[31mred", "\\u{1b}[31mred"),
            ("\u{9b}2J\u{7f}\u{0}", "\\u{9b}2J\\u{7f}\\u{0}"), ("a\u{2028}b\u{85}c", "a\\u{2028}b\\u{85}c"),
            ("a\u{200b}b\u{ad}c\u{feff}d\u{2060}e\u{3164}", "a\\u{200b}b\\u{ad}c\\u{feff}d\\u{2060}e\\u{3164}"),
            ("\u{e0041}\u{e007f}", "\\u{e0041}\\u{e007f}"),
            // Joiners, and what chooses a form: Persian, Hindi, a heart in color, a form of a Japanese name.
            ("می‌خواهم क्‍ष ❤️ 葛󠄀", "می‌خواهم क्‍ष ❤️ 葛󠄀"),
            ("\u{202e}txt.exe\u{2066}x\u{200f}", "\\u{202e}txt.exe\\u{2066}x\\u{200f}"), ("", ""),
        ])
    func oneLine(text: String, expected: String) {
        #expect(text.onOneLine == expected)
        #expect(text.onOneLine.onOneLine == expected)
    }

    @Test("Our own line breaks and tabs stay")
    func lines() {
        #expect("a\n\tb\u{1b}\r".onLines == "a\n\tb\\u{1b}\\r")
    }

    @Test("JSON stays JSON with the same value")
    func json() throws {
        let json: JSON = ["a\u{9b}\u{e0041}": "\u{1b}\n\u{202e}x\u{2029}", "n": 1.5]
        let text = json.text.escapedInJSON
        #expect(try JSON(parsing: text) == json)
        #expect(text == text.onOneLine)
    }
}
