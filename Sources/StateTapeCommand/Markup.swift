import Foundation

/// Escapes text that an app or a test chose, so that it stays text.
enum Markup {
    /// For the content and the quoted attributes of HTML and XML. Control characters, which XML forbids even escaped,
    /// become U+FFFD.
    static func xml(_ text: String) -> String {
        escape(text) { scalar in
            switch scalar {
            case "\"": "&quot;"
            case "'": "&#39;"
            case "\n", "\t", "\r": "&#\(scalar.value);"
            case "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
            case _ where scalar.properties.generalCategory == .control: "\u{FFFD}"
            default: nil
            }
        }
    }

    /// For a cell of a Markdown table: one line without markup.
    static func markdown(_ text: String) -> String {
        escape(text) { scalar in
            switch scalar {
            // A backslash before a bar would escape the escape.
            case "|": "&#124;"
            case "@": "&#64;"
            case "\\", "`", "*", "_", "[", "]", "~", "#", "!", "$", ":": "\\\(scalar)"
            case _ where scalar.properties.generalCategory == .control || scalar.properties.isWhitespace: " "
            default: nil
            }
        }
    }

    /// - Parameter special: The text for a character; nil for the character itself, except for those of tags.
    private static func escape(_ text: String, _ special: (Unicode.Scalar) -> String?) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped += special(scalar) ?? String(scalar)
            }
        }
        return escaped
    }

    /// For the message of a GitHub Actions workflow command.
    static func workflow(message text: String) -> String {
        percent(text, ["%", "\r", "\n"])
    }

    /// For a property of a GitHub Actions workflow command.
    static func workflow(property text: String) -> String {
        percent(text, ["%", "\r", "\n", ":", ","])
    }

    /// Encodes scalars, not characters: CR LF is one character.
    private static func percent(_ text: String, _ special: Set<Unicode.Scalar>) -> String {
        text.unicodeScalars.reduce(into: "") { encoded, scalar in
            encoded += special.contains(scalar) ? String(format: "%%%02X", scalar.value) : String(scalar)
        }
    }

    /// Shortens a long text.
    static func short(_ text: String, _ length: Int) -> String {
        text.count <= length ? text : text.prefix(length - 1) + "…"
    }
}
