import Testing

@testable import TodoExample

@Suite struct LineEditorTests {
    /// The prompt's text after some keys, with `|` at the cursor.
    private func typed(_ keys: String...) -> String {
        var editor = LineEditor()
        for key in keys { _ = editor.take(key.utf8) }
        return String(editor.text[..<editor.cursor]) + "|" + String(editor.text[editor.cursor...])
    }

    @Test("Keys insert, move, delete and erase")
    func keys() {
        let left = "\u{1b}[D"
        #expect(typed("abc", left, left, "x") == "ax|bc")
        #expect(typed("abc", left, "\u{7f}") == "a|c")
        #expect(typed("abc", left, "\u{1b}[3~") == "ab|")
        #expect(typed("abc", "\u{1b}[H", "x", "\u{1b}OF", "y") == "xabcy|")
        #expect(typed("add some milk ", "\u{17}") == "add some |")
        #expect(typed("word", "\u{17}") == "|")
        #expect(typed("add some", left, "\u{15}") == "|e")
        #expect(typed("日本", "\u{7f}") == "日|")
    }

    @Test("A character or a key may arrive in several chunks")
    func pieces() {
        var editor = LineEditor()
        for byte in Array("é\u{1b}[D日".utf8) { _ = editor.take([byte]) }
        #expect(String(editor.text) == "日é")
    }

    @Test("Return submits the line, and the arrow keys recall it")
    func history() {
        var editor = LineEditor()
        #expect(editor.take("one\rtwo\r".utf8) == [.line("one"), .line("two")])
        _ = editor.take("\u{1b}[A\u{1b}[A".utf8)
        #expect(String(editor.text) == "one")
        _ = editor.take("\u{1b}[B\u{1b}[B".utf8)
        #expect(editor.text.isEmpty)
    }

    @Test("Ctrl-C quits, and so does Ctrl-D on an empty line")
    func end() {
        var editor = LineEditor()
        #expect(editor.take([0x04]) == [.end])
        #expect(editor.take("x".utf8).isEmpty)
        #expect(editor.take([0x04]).isEmpty)
        #expect(editor.take([0x03]) == [.end])
    }

    @Test("A line that is wider than the terminal scrolls to the cursor")
    func prompt() {
        var editor = LineEditor()
        _ = editor.take("0123456789日本".utf8)
        let end = Prompt(editor, columns: 10)
        #expect(end.text == "789日本")
        #expect(end.column == 10)
        _ = editor.take("\u{1b}[H".utf8)
        let start = Prompt(editor, columns: 10)
        #expect(start.text == "0123456")
        #expect(start.column == 3)
    }
}
