extension String {
    /// The text for a terminal or a log, where others may have chosen it: on one line, and with what would move the cursor,
    /// color the text, change its direction, or is invisible written as in Swift, such as `\\u{1b}`.
    package var onOneLine: String { escaped { $0.isForbidden } }

    /// Like ``onOneLine``, for a text of our own in which line breaks and tabs are meant.
    package var onLines: String { escaped { $0.isForbidden && $0 != "\n" && $0 != "\t" } }

    /// JSON text in which the same characters, which are in its strings, are written as JSON's escapes.
    package var escapedInJSON: String {
        escaped({ $0.isForbidden }) { scalar in
            UTF16.encode(scalar)?.map { "\\u" + String(0x10000 + UInt32($0), radix: 16).dropFirst() }.joined() ?? ""
        }
    }

    private func escaped(
        _ isForbidden: (Unicode.Scalar) -> Bool, as name: (Unicode.Scalar) -> String = Self.name
    ) -> String {
        guard unicodeScalars.contains(where: isForbidden) else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if isForbidden(scalar) {
                text.append(contentsOf: name(scalar).unicodeScalars)
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }

    private static func name(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: "\\u{\(String(scalar.value, radix: 16))}"
        }
    }
}

extension Unicode.Scalar {
    /// Control characters, line separators, what changes the direction of text, and what is invisible: two names that look
    /// the same could differ in it, and a text could hide another.
    ///
    /// The joiners stay, and what chooses one of a character's forms: emoji, Persian and the scripts of India need them.
    fileprivate var isForbidden: Bool {
        switch value {
        case 0..<0x20, 0x7f..<0xa0, 0x2028...0x202e: true
        case ..<0xa0, 0x200c, 0x200d: false
        default: properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector
        }
    }
}
