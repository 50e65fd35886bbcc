/// The visible part of a typed line after the prompt, which contains the cursor.
struct Prompt: Equatable {
    var text: String
    /// The terminal's column of the cursor, from 1.
    var column: Int

    init(_ editor: LineEditor, columns: Int) {
        let room = max(1, columns - 3)
        var start = 0
        while String(editor.text[start..<editor.cursor]).columns > room { start += 1 }
        text = ""
        var used = 0
        for character in editor.text[start...] {
            guard used + character.columns <= room else { break }
            text.append(character)
            used += character.columns
        }
        column = 3 + String(editor.text[start..<editor.cursor]).columns
    }
}
