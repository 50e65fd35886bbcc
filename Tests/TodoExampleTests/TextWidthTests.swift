import Testing

@testable import TodoExample

@Suite struct TextWidthTests {
    @Test(
        "The width of a text is that in a terminal",
        arguments: [
            ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한글", 4), ("ｆｕｌｌ", 8), ("👍", 2), ("👩‍👩‍👧‍👦", 2), ("🏞️", 2),
            ("─○✓…", 4), ("", 0), ("\u{200b}", 0),
        ])
    func columns(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test(
        "A truncated text ends in an ellipsis, never in half a character",
        arguments: [
            ("abcdef", 4, "abc…"), ("日本語", 4, "日…"), ("日本語", 5, "日本…"), ("abc", 3, "abc"), ("abc", 1, "…"),
            ("abc", 0, ""),
        ])
    func cut(text: String, width: Int, cut: String) {
        #expect(text.cut(to: width) == cut)
        #expect(text.padded(to: width).columns == width)
    }
}
