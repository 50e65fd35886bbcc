import Foundation

/// A Swift file, as its text and as code without comments and strings.
struct SwiftSource {
    /// An argument of a call.
    struct Argument {
        let label: String?
        /// From the label on.
        let whole: Range<Int>
        let value: Range<Int>
    }

    /// The path in the package.
    let path: String
    /// The folder of its target.
    var target = ""
    let bytes: [UInt8]
    private let code: [UInt8]
    let uncommented: [UInt8]
    /// The code as a text, for searches.
    private let searched: String

    /// Nil if the file isn't UTF-8.
    init?(path: String, bytes: [UInt8]) {
        guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
        self.path = path
        self.bytes = bytes
        let mask = CodeMask(bytes)
        (code, uncommented) = (mask.code, mask.uncommented)
        searched = String(decoding: code, as: UTF8.self)
    }

    /// The line break of the file.
    var lineBreak: String {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")), end > 0 else { return "\n" }
        return bytes[end - 1] == UInt8(ascii: "\r") ? "\r\n" : "\n"
    }

    /// Without comments.
    func text(_ range: Range<Int>) -> String { String(decoding: uncommented[range], as: UTF8.self) }

    /// As it is, but for the line breaks, and the space that its first line is behind.
    func original(_ range: Range<Int>) -> String {
        let text = String(decoding: bytes[range], as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
        guard !text.contains("\"\"\"") else { return text }
        return text.replacingOccurrences(of: "\n" + indent(range.lowerBound), with: "\n")
    }

    /// Without comments and strings.
    func code(_ range: Range<Int>) -> String { String(decoding: code[range], as: UTF8.self) }

    /// The places where an expression matches the code, with what its groups match.
    func matches(_ pattern: String, in range: Range<Int>? = nil) -> [(range: Range<Int>, groups: [Range<Int>?])] {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return [] }
        let view = searched.utf8
        func offset(_ place: Int) -> Int {
            view.distance(from: view.startIndex, to: String.Index(utf16Offset: place, in: searched))
        }
        let all = NSRange(location: 0, length: searched.utf16.count)
        return expression.matches(in: searched, range: all).compactMap { match in
            let groups = (0..<match.numberOfRanges).map { group -> Range<Int>? in
                let found = match.range(at: group)
                guard found.location != NSNotFound else { return nil }
                return offset(found.location)..<offset(found.location + found.length)
            }
            guard let whole = groups[0], range.map({ $0.contains(whole.lowerBound) }) ?? true else { return nil }
            return (whole, Array(groups.dropFirst()))
        }
    }

    /// The offset of the bracket that closes the one at an offset.
    func closing(_ open: Int) -> Int? {
        var depth = 0
        for place in open..<code.count {
            if "([{".utf8.contains(code[place]) { depth += 1 }
            if ")]}".utf8.contains(code[place]) {
                depth -= 1
                if depth == 0 { return place }
            }
        }
        return nil
    }

    /// The arguments, or elements, between brackets.
    func arguments(_ open: Int) -> [Argument] {
        guard let end = closing(open) else { return [] }
        var (arguments, start, place) = ([Argument](), open + 1, open + 1)
        func add(_ stop: Int) {
            let whole = trimmed(start..<stop)
            guard !whole.isEmpty else { return }
            var (label, value) = (String?.none, whole)
            let word = code[whole].prefix { byte in
                let letter = Character(Unicode.Scalar(byte))
                return letter.isLetter || letter.isNumber || byte > 127 || letter == "_"
            }
            if whole.lowerBound + word.count < whole.upperBound,
                code[whole.lowerBound + word.count] == UInt8(ascii: ":")
            {
                label = String(decoding: word, as: UTF8.self)
                value = trimmed(whole.lowerBound + word.count + 1..<whole.upperBound)
            }
            arguments.append(Argument(label: label, whole: whole, value: value))
        }
        while place < end {
            if "([{".utf8.contains(code[place]), let close = closing(place) {
                place = close
            } else if code[place] == UInt8(ascii: "<"), let close = generics(place) {
                place = close
            } else if code[place] == UInt8(ascii: ",") {
                add(place)
                start = place + 1
            }
            place += 1
        }
        add(end)
        return arguments
    }

    /// The end of generic arguments, whose commas separate nothing else.
    private func generics(_ open: Int) -> Int? {
        let inside = code[(open + 1)...].prefix { byte in
            let letter = Character(Unicode.Scalar(byte))
            return letter.isLetter || letter.isNumber || byte > 127 || "_ ,.?[]:&".contains(letter)
        }
        return inside.endIndex < code.count && code[inside.endIndex] == UInt8(ascii: ">") ? inside.endIndex : nil
    }

    /// Without the space and the comments around it.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        let isSpace: (UInt8) -> Bool = { " \t\r\n".utf8.contains($0) }
        guard let first = uncommented[range].firstIndex(where: { !isSpace($0) }),
            let last = uncommented[range].lastIndex(where: { !isSpace($0) })
        else { return range.lowerBound..<range.lowerBound }
        return first..<last + 1
    }

    /// The offset of the first byte of the line.
    func lineStart(_ offset: Int) -> Int {
        bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    }

    /// The offset of the line break at the end of the line.
    func lineEnd(_ offset: Int) -> Int {
        let end = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        return end > offset && bytes[end - 1] == UInt8(ascii: "\r") ? end - 1 : end
    }

    func lineNumber(_ offset: Int) -> Int { bytes[..<offset].count { $0 == UInt8(ascii: "\n") } + 1 }

    /// The space at the beginning of the line.
    func indent(_ offset: Int) -> String {
        let start = lineStart(offset)
        return String(decoding: bytes[start...].prefix { $0 == UInt8(ascii: " ") || $0 == 9 }, as: UTF8.self)
    }

    /// Whether statements may stand here: in the body of a function, or at the top of `main.swift`.
    func allowsStatements(_ offset: Int) -> Bool {
        guard let brace = braces(around: offset).last else {
            return path == "main.swift" || path.hasSuffix("/main.swift")
        }
        let start = code[..<brace].lastIndex { "{};".utf8.contains($0) } ?? -1
        return !isType(start + 1..<brace)
    }

    /// Whether a place is in a closure for another thread, as far as the line says that opens it.
    func isDetached(_ offset: Int) -> Bool {
        braces(around: offset).contains { brace in
            code(lineStart(brace)..<brace).contains(#/\bTask\s*\.\s*detached\b|\bThread\b|\.global\b/#)
        }
    }

    /// The open braces before a place, from the outside in.
    private func braces(around offset: Int) -> [Int] {
        var open: [Int] = []
        for place in 0..<offset {
            if code[place] == UInt8(ascii: "{") { open.append(place) }
            if code[place] == UInt8(ascii: "}") { _ = open.popLast() }
        }
        return open
    }

    /// Whether the words before a brace declare a type.
    private func isType(_ range: Range<Int>) -> Bool {
        let words = code(range).split { $0.isWhitespace }
        guard
            let keyword = words.lastIndex(where: { ["class", "struct", "enum", "actor", "extension"].contains($0) })
        else {
            return false
        }
        // `class func make()` and `class var` are members.
        return words.dropFirst(keyword + 1).first.map { !["func", "var", "let"].contains($0) } ?? false
    }
}
