/// One line of the screen, as styled segments.
struct Line: Equatable, Sendable {
    struct Piece: Equatable, Sendable {
        var text: String
        var style: Style
    }

    private(set) var pieces: [Piece] = []

    init(_ text: String = "", _ style: Style = .plain) {
        add(text, style)
    }

    mutating func add(_ text: String, _ style: Style = .plain) {
        if !text.isEmpty { pieces.append(Piece(text: text.printable, style: style)) }
    }

    var columns: Int { pieces.reduce(0) { $0 + $1.text.columns } }

    /// Pads with spaces up to a column.
    mutating func fill(to column: Int) {
        add(String(repeating: " ", count: max(0, column - columns)))
    }

    /// Appends right-aligned text that ends at a column, after at least one space.
    mutating func add(_ text: String, _ style: Style, endingAt column: Int) {
        fill(to: max(columns + 1, column - text.columns))
        add(text, style)
    }

    /// The line truncated to a width in columns.
    func cut(to width: Int) -> Line {
        var line = Line()
        for piece in pieces {
            let room = width - line.columns
            line.add(piece.text.cut(to: room), piece.style)
            if piece.text.columns > room { break }
        }
        return line
    }

    /// Plain text without trailing spaces; selected text is in brackets.
    var plain: String {
        var text = pieces.map { $0.style == .selected ? "[\($0.text.dropFirst().dropLast())]" : $0.text }.joined()
        while text.last == " " { text.removeLast() }
        return text
    }

    /// Text with the terminal's escape sequences.
    func ansi(colored: Bool) -> String {
        pieces.map { piece in
            let code = piece.style.code(colored: colored)
            return code.isEmpty ? piece.text : "\u{1b}[\(code)m\(piece.text)\u{1b}[0m"
        }.joined()
    }
}
