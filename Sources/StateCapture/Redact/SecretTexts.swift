import Foundation

/// Where a text has secrets: each place is looked at a few times at most, however long the text is.
struct SecretTexts {
    /// In order, without overlaps.
    private(set) var ranges: [Range<Int>] = []
    private let text: UnsafeBufferPointer<UInt8>
    private let redactor: Redactor

    init(in text: UnsafeBufferPointer<UInt8>, _ redactor: Redactor) {
        self.text = text
        self.redactor = redactor
        findNamed()
        if redactor.findsPasswordsOfURLs { findPasswordsOfURLs() }
        guard ranges.count > 1 else { return }
        ranges.sort { $0.lowerBound < $1.lowerBound }
        ranges = ranges.reduce(into: []) { ranges, range in
            if let last = ranges.last, range.lowerBound <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
    }

    /// Values after a secret's name.
    private mutating func findNamed() {
        var start = 0
        while let word = redactor.textWords.word(in: text, from: start) {
            let end = pathEnd(from: text.nameEnd(from: word.upperBound))
            start = end
            guard let value = value(after: word, end), value < text.count else { continue }
            let secret = value..<self.end(of: value)
            ranges.append(secret)
            start = secret.upperBound
        }
    }

    /// The place of the value of a name with a secret word.
    private func value(after word: Range<Int>, _ end: Int) -> Int? {
        func isWord(_ other: String) -> Bool { text[word].elementsEqual(other.utf8) { $0.lowercased == $1 } }
        if isWord(Redactor.basic) { return end == word.upperBound ? basic(after: end) : nil }
        if isTag(word) { return skip(">", in: end) }
        let next = skipQuotes(from: end)
        guard next < text.count else { return nil }
        if text[next] == UInt8(ascii: "<"), isNameTag(word) { return skip(">", in: next) }
        switch UnicodeScalar(text[next]) {
        case ":", "=", "(", ">": return skip(" \t=>", from: next + 1)
        // `name=password&value=x`, `"key":"password","value":"x"`, `name="password" value="x"`
        case ",", "&", ";":
            if let value = siblingValue(from: skip(" \t\"'`\\{", from: next + 1)) { return value }
            return isPart(word) ? text[next...].prefix(1_024).firstIndex(of: UInt8(ascii: "\n")) : nil
        case "\r", "\n": return isPart(word) ? next : nil
        default:
            if let value = next > end ? siblingValue(from: next) : nil { return value }
            return next > end && isWord("bearer") ? skip(" \t+", from: end) : nil
        }
    }

    /// The end of a name with its parts: `password.value`.
    private func pathEnd(from end: Int) -> Int {
        var end = end
        while end + 1 < text.count, text[end] == UInt8(ascii: "."), text[end + 1].isNamePart {
            end = text.nameEnd(from: end + 1)
        }
        return end
    }

    /// Passes over what may stand between a name and its sign: `"`, `*` of a field that is required, `&quot;`.
    private func skipQuotes(from end: Int) -> Int {
        var next = end
        while true {
            next = skip(" \t\"'`”’\\[])*+", from: next)
            let rest = text[next...]
            let entity = ["&quot;", "&#34;", "&#39;", "&apos;"].first { rest.starts(with: $0.utf8) }
            guard let entity else { return next }
            next += entity.utf8.count
        }
    }

    /// Whether the name is that of an element: `<password type="x">`.
    private func isTag(_ word: Range<Int>) -> Bool {
        let start = text[..<word.lowerBound].lastIndex { !$0.isNamePart && $0 != UInt8(ascii: ":") }
        return start.map { text[$0] == UInt8(ascii: "<") } ?? false
    }

    /// Whether the name is the content of an element for names: `<key>password</key>`.
    private func isNameTag(_ word: Range<Int>) -> Bool {
        guard let end = text[..<word.lowerBound].lastIndex(where: { !$0.isNamePart }), text[end] == UInt8(ascii: ">"),
            let start = text[..<end].suffix(32).lastIndex(of: UInt8(ascii: "<"))
        else { return false }
        let name = String(decoding: text[start + 1..<end], as: UTF8.self)
        return SiblingRoles.of(name).contains(.name)
    }

    /// The place after a byte in the same line, near by; nil if it isn't there.
    private func skip(_ byte: Unicode.Scalar, in start: Int) -> Int? {
        let line = text[start...].prefix(256).prefix { $0 != UInt8(ascii: "\n") }
        return line.firstIndex(of: UInt8(ascii: byte)).map { $0 + 1 }
    }

    /// Whether the name is given as in `name="password"`: if its line has no value, those below have it, in a form of
    /// several parts or in markup. The line's end counts as the value's first byte.
    private func isPart(_ word: Range<Int>) -> Bool {
        let start = text[..<word.lowerBound].lastIndex { !$0.isNamePart && !"\"'[].".utf8.contains($0) }
        guard let start, text[start] == UInt8(ascii: "="), start >= 4 else { return false }
        return text[(start - 4)..<start].elementsEqual("name".utf8) { $0.lowercased == $1 }
    }

    /// The place of the value if a name begins here that says that it is one.
    private func siblingValue(from start: Int) -> Int? {
        let end = text[start...].prefix(24).firstIndex { !$0.isNamePart } ?? min(start + 24, text.count)
        guard end > start else { return nil }
        let name = String(decoding: text[start..<end], as: UTF8.self)
        guard SiblingRoles.of(name).contains(.value) else { return nil }
        let sign = skip(" \t\"'`\\", from: end)
        guard sign < text.count, text[sign] == UInt8(ascii: ":") || text[sign] == UInt8(ascii: "=") else { return nil }
        return skip(" \t", from: sign + 1)
    }

    /// Where a secret that begins here ends.
    private func end(of value: Int) -> Int {
        let goesOn: [UnicodeScalar] = ["\n", "\r", "\"", "'", "`", "\\", "[", "{", "(", "<", "-"]
        if goesOn.contains(UnicodeScalar(text[value])) || text[value] >= 0x80 { return text.count }
        return lineEnd(from: value)
    }

    private func lineEnd(from index: Int) -> Int { text[index...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count }

    private func skip(_ skipped: StaticString, from index: Int) -> Int {
        let skipped = UnsafeBufferPointer(start: skipped.utf8Start, count: skipped.utf8CodeUnitCount)
        return text[min(index, text.count)...].firstIndex { !skipped.contains($0) } ?? text.count
    }

    /// `https://user:password@host`: what is between the first colon and the last `@` before a space or a quote.
    private mutating func findPasswordsOfURLs() {
        guard text.contains(UInt8(ascii: "@")) else { return }
        var start = 0
        // The end of the URL and its last `@`, found once.
        var (end, at) = (0, -1)
        while let slashes = slashes(from: start) {
            start = slashes
            guard let colon = text[slashes...].firstIndex(where: { $0 <= 0x20 || ":/?#@\"'<>`".utf8.contains($0) }),
                text[colon] == UInt8(ascii: ":")
            else { continue }
            if colon >= end {
                end = text[colon...].firstIndex { $0 <= 0x20 || "\"'<>`".utf8.contains($0) } ?? text.count
                at = text[colon..<end].lastIndex(of: UInt8(ascii: "@")) ?? -1
            }
            // A port is a number, and no `@` follows it in the same part of the URL.
            let digits = text[(colon + 1)..<end].firstIndex { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            let isPort = digits.map { "/?#".utf8.contains(text[$0]) } ?? true
            start = digits ?? end
            guard !isPort, at > colon + 1 else { continue }
            ranges.append(colon + 1..<at)
            start = end
        }
    }

    /// The end of the next `//`.
    private func slashes(from start: Int) -> Int? {
        var index = start
        while let slash = text[min(index, text.count)...].firstIndex(of: UInt8(ascii: "/")), slash + 1 < text.count {
            if text[slash + 1] == UInt8(ascii: "/") { return slash + 2 }
            index = slash + 1
        }
        return nil
    }

    /// The place after `Basic` if it is base64 of `user:password`.
    private func basic(after end: Int) -> Int? {
        let value = skip(" \t", from: end)
        let rest = text[value...].prefix { $0.isBase64 }
        guard value > end, rest.count >= 4, let data = Data(base64Encoded: Data(rest.prefix(rest.count & ~3))),
            data.contains(UInt8(ascii: ":"))
        else { return nil }
        return value
    }
}

extension UInt8 {
    fileprivate var isBase64: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}
