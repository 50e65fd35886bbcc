extension Character {
    /// The width of the character in terminal columns: 0, 1 or 2.
    var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if unicodeScalars.contains("\u{fe0f}") { return 2 }
        switch first.properties.generalCategory {
        case .control, .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator: return 0
        default: return first.properties.isEmojiPresentation || first.isWide ? 2 : 1
        }
    }
}

extension Unicode.Scalar {
    /// East Asian wide and full-width characters.
    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0x9fff, 0xa000...0xa4cf,
            0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6,
            0x20000...0x3fffd:
            true
        default: false
        }
    }
}

extension String {
    /// The width of the text in terminal columns.
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// The text truncated to a width in columns, with `…` at the cut.
    func cut(to width: Int) -> String {
        guard columns > width else { return self }
        guard width > 0 else { return "" }
        var kept = ""
        var used = 0
        for character in self {
            guard used + character.columns < width else { break }
            kept.append(character)
            used += character.columns
        }
        return kept + "…"
    }

    /// The text truncated or padded with spaces to a width in columns.
    func padded(to width: Int, right: Bool = false) -> String {
        let text = cut(to: width)
        let spaces = String(repeating: " ", count: width - text.columns)
        return right ? spaces + text : text + spaces
    }

    /// The text without control characters.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }
}
