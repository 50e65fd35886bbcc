/// Finds the tags of an XML text, and their places. Foundation's parser on Linux ends the process at an instruction in
/// the text, takes half a minute for 200 000 attributes, and loses the places.
struct XMLScanner {
    struct Tag {
        let name: String
        let attributes: [String: String]
        let isEnd: Bool
        /// Whether it ends in `/>`.
        let isEmpty: Bool
        /// The offset after the tag.
        let end: Int
    }

    private let text: [UInt8]
    private var position = 0
    /// Whether there was a tag.
    private(set) var hasElement = false

    init(_ text: [UInt8]) {
        self.text = text
    }

    /// The next tag; nil at the end. Skips comments, CDATA sections, instructions and the document type.
    ///
    /// - Throws: `Failure` with the line.
    mutating func next() throws -> Tag? {
        while let start = text[position...].firstIndex(of: UInt8(ascii: "<")) {
            position = start
            if try skip("<!--", to: "-->") || skip("<![CDATA[", to: "]]>") || skip("<?", to: "?>") { continue }
            if has("<!") {
                try skipDocumentType()
                continue
            }
            hasElement = true
            return try tag()
        }
        return nil
    }

    /// - Parameter what: What the line has, as the rest of a sentence.
    func failure(_ what: String) -> Failure {
        let line = text[..<min(position, text.count)].count { $0 == UInt8(ascii: "\n") } + 1
        return Failure("it is not a JUnit XML file: line \(line) \(what).")
    }

    private func has(_ prefix: String) -> Bool { text[position...].starts(with: prefix.utf8) }

    private mutating func skip(_ prefix: String, to end: String) throws -> Bool {
        guard has(prefix) else { return false }
        let end = Array(end.utf8)
        var place = position + prefix.utf8.count
        while place + end.count <= text.count {
            if text[place] == end[0], text[place...].starts(with: end) {
                position = place + end.count
                return true
            }
            place += 1
        }
        throw failure("has “\(prefix)” without its end")
    }

    private mutating func skipDocumentType() throws {
        var depth = 0
        for place in position..<text.count {
            switch text[place] {
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth == 0:
                position = place + 1
                return
            default: break
            }
        }
        throw failure("has “<!” without its end")
    }

    private mutating func tag() throws -> Tag {
        var quote: UInt8?
        var place = position + 1
        var starts: [Int] = []
        while place < text.count {
            let byte = text[place]
            if let open = quote {
                if byte == open {
                    quote = nil
                    starts.append(place)
                }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
                starts.append(place)
            } else if byte == UInt8(ascii: "<") {
                throw failure("has an unexpected “<”")
            } else if byte == UInt8(ascii: ">") {
                return try tag(end: place, quotes: starts)
            }
            place += 1
        }
        throw failure("has a tag without its end")
    }

    /// - Parameters:
    ///   - end: The offset of the tag's `>`.
    ///   - quotes: The offsets of its quotation marks, in pairs.
    private mutating func tag(end: Int, quotes: [Int]) throws -> Tag {
        let isEnd = text[position + 1] == UInt8(ascii: "/")
        let isEmpty = !isEnd && text[end - 1] == UInt8(ascii: "/")
        let start = position + (isEnd ? 2 : 1)
        let name = text[start..<max(start, end)].prefix { !Self.isSpace($0) && !"/\"'=".utf8.contains($0) }
        guard !name.isEmpty else { throw failure("has an unexpected “<”") }
        var attributes: [String: String] = [:]
        var place = start + name.count
        for pair in stride(from: 0, to: quotes.count - 1, by: 2) {
            let key = text[place..<quotes[pair]].filter { !Self.isSpace($0) && $0 != UInt8(ascii: "=") }
            guard !key.isEmpty else { throw failure("has an unexpected quotation mark") }
            let value = text[(quotes[pair] + 1)..<quotes[pair + 1]]
            attributes[String(decoding: key, as: UTF8.self)] = Self.unescaped(
                String(decoding: value, as: UTF8.self))
            place = quotes[pair + 1] + 1
        }
        position = end + 1
        return Tag(
            name: String(decoding: name, as: UTF8.self), attributes: attributes, isEnd: isEnd, isEmpty: isEmpty,
            end: position)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [9, 10, 13, 32].contains(byte) }

    /// The text of an attribute's value.
    private static func unescaped(_ text: String) -> String {
        text.replacing(/&(#x?)?([0-9A-Za-z]{1,8});/) { match -> String in
            if let kind = match.1 {
                let code = UInt32(match.2, radix: kind == "#x" ? 16 : 10)
                return code.flatMap(Unicode.Scalar.init).map { String($0) } ?? String(match.0)
            }
            let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
            return names[String(match.2)] ?? String(match.0)
        }
    }
}
