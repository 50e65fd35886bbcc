import TapeEngine
import TapeFormat

/// Texts in the form in which searches compare them.
enum SearchedText {
    /// In lower case, ASCII only.
    static func ascii(_ text: String) -> String {
        String(decoding: Array(text.utf8)[...].folded, as: UTF8.self)
    }

    /// With simple case folding, as SQLite's full text index has it: each scalar stays one scalar.
    static func simple(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 128 }) { return ascii(text) }
        var folded = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { folded.append(simple(scalar)) }
        return String(folded)
    }

    private static func simple(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        // The dotless i is a letter of its own, although its upper case is I.
        guard scalar != "\u{131}" else { return scalar }
        func only(_ mapping: String, _ scalar: Unicode.Scalar) -> Unicode.Scalar {
            let scalars = mapping.unicodeScalars
            return scalars.count == 1 ? scalars.first ?? scalar : scalar
        }
        let upper = only(scalar.properties.uppercaseMapping, scalar)
        return only(upper.properties.lowercaseMapping, upper)
    }

    /// The texts of a session that a search looks through: those in the header, and the title.
    static func pieces(of header: Header, title: String?) -> [String] {
        var texts: [String] = []
        collect(header.json, into: &texts)
        return (texts + (title.map { [$0] } ?? [])).flatMap(pieces)
    }

    /// A text without its NULs: a search can't contain one, so nothing is found across one.
    static func pieces(_ text: String) -> [String] {
        text.unicodeScalars.split(separator: "\0").map { ascii(String($0)) }
    }

    private static func collect(_ json: JSON, into texts: inout [String]) {
        switch json {
        case .string(let text): texts.append(text)
        case .array(let values): for value in values { collect(value, into: &texts) }
        case .object(let object): for member in object { collect(member.value, into: &texts) }
        case .null, .bool, .number: break
        }
    }

    /// A pattern for LIKE that a text matches which contains this one.
    static func pattern(_ text: String) -> String {
        "%"
            + text.unicodeScalars.reduce(into: "") { pattern, scalar in
                if ["%", "_", "\\"].contains(scalar) { pattern += "\\" }
                pattern.unicodeScalars.append(scalar)
            } + "%"
    }
}
