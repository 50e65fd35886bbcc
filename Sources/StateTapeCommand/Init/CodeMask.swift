/// Blanks comments and strings in Swift source, so that a search of the rest can't be fooled by them.
///
/// The result has the same length: an offset is the same place in both. Line breaks stay.
struct CodeMask {
    private let text: [UInt8]
    private(set) var code: [UInt8]
    /// With its strings.
    private(set) var uncommented: [UInt8]
    private var at = 0

    init(_ text: [UInt8]) {
        self.text = text
        code = text
        uncommented = text
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { blank(to: 3, isComment: true) }
        scan(until: nil)
    }

    private func starts(_ word: String, at place: Int? = nil) -> Bool {
        text[min(place ?? at, text.count)...].starts(with: word.utf8)
    }

    /// Blanks up to an offset, and goes on there.
    private mutating func blank(to end: Int, isComment: Bool = false) {
        let end = min(end, text.count)
        for place in at..<max(at, end) where text[place] != UInt8(ascii: "\n") && text[place] != UInt8(ascii: "\r") {
            code[place] = UInt8(ascii: " ")
            if isComment { uncommented[place] = UInt8(ascii: " ") }
        }
        at = max(at, end)
    }

    /// Scans code, in an interpolation up to its parenthesis.
    private mutating func scan(until end: UInt8?) {
        var depth = 0
        while at < text.count {
            let byte = text[at]
            if starts("//") {
                let end = text[at...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
                blank(to: end ?? text.count, isComment: true)
            } else if starts("/*") {
                comment()
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#") && isRaw {
                literal()
            } else if byte == UInt8(ascii: "/"), let end = regexEnd {
                blank(to: end)
            } else {
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                if let end, byte == end, depth < 0 { return }
                at += 1
            }
        }
    }

    private mutating func comment() {
        var (depth, end) = (0, at)
        repeat {
            if starts("/*", at: end) {
                depth += 1
                end += 2
            } else if starts("*/", at: end) {
                depth -= 1
                end += 2
            } else {
                end += 1
            }
        } while depth > 0 && end < text.count
        blank(to: end, isComment: true)
    }

    /// Whether the hashes here begin a raw string or a regular expression.
    private var isRaw: Bool {
        let end = text[at...].firstIndex { $0 != UInt8(ascii: "#") } ?? text.count
        return end < text.count && [UInt8(ascii: "\""), UInt8(ascii: "/")].contains(text[end])
    }

    /// A string, or a regular expression between hashes. What it interpolates is blanked, too.
    private mutating func literal() {
        let hashes = String(repeating: "#", count: text[at...].prefix { $0 == UInt8(ascii: "#") }.count)
        let isMultiline = starts("\"\"\"", at: at + hashes.count)
        let quote = isMultiline ? "\"\"\"" : starts("\"", at: at + hashes.count) ? "\"" : "/"
        blank(to: at + hashes.count + quote.utf8.count)
        while at < text.count {
            if starts(quote + hashes) { return blank(to: at + quote.utf8.count + hashes.count) }
            // An unfinished string ends with its line.
            if !isMultiline, quote == "\"", text[at] == UInt8(ascii: "\n") { return }
            if quote != "/", starts("\\" + hashes + "(") {
                blank(to: at + hashes.count + 2)
                let start = at
                scan(until: UInt8(ascii: ")"))
                let end = at
                at = start
                blank(to: end + 1)
            } else if starts("\\" + hashes) {
                blank(to: at + hashes.count + 2)
            } else {
                blank(to: at + 1)
            }
        }
    }

    /// The end of a regular expression that begins here; nil if this is an operator.
    private var regexEnd: Int? {
        let before = text[..<at].last { $0 != UInt8(ascii: " ") } ?? UInt8(ascii: "\n")
        guard "(,=:[{&|!?;\n".utf8.contains(before), at + 1 < text.count,
            text[at + 1] != UInt8(ascii: " "), text[at + 1] != UInt8(ascii: "=")
        else { return nil }
        var place = at + 1
        while place < text.count, text[place] != UInt8(ascii: "\n") {
            if text[place] == UInt8(ascii: "\\") {
                place += 2
            } else if text[place] == UInt8(ascii: "/") {
                return place + 1
            } else {
                place += 1
            }
        }
        return nil
    }
}
