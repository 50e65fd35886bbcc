/// A JSON Pointer (RFC 6901), such as `/todos/3/done`. The empty pointer is the whole value.
public struct Pointer: Sendable, Hashable, CustomStringConvertible {
    /// The unescaped keys and indices, the outermost first.
    public var tokens: [String]

    public init(_ tokens: [String] = []) {
        self.tokens = tokens
    }

    /// Parses a pointer.
    ///
    /// - Throws: `FormatError` if the text isn't empty and doesn't start with a slash, has a `~` without 0 or 1, or is
    ///   deeper than ``Limits/nesting``.
    public init(parsing text: String) throws(FormatError) {
        guard let first = text.utf8.first else {
            self.init()
            return
        }
        guard first == UInt8(ascii: "/") else {
            throw FormatError("pointer “\(text.prefix(100))” must be empty or begin with “/”")
        }
        var tokens: [String] = []
        // At most one part above the limit: a megabyte of slashes must not become a million strings.
        let parts = text.utf8.dropFirst().split(
            separator: UInt8(ascii: "/"), maxSplits: Limits.nesting, omittingEmptySubsequences: false)
        for part in parts {
            guard let token = Pointer.unescape(part) else {
                throw FormatError("pointer “\(text.prefix(100))” has a “~” without 0 or 1")
            }
            guard tokens.count < Limits.nesting else {
                throw FormatError("pointer “\(text.prefix(100))” leads deeper than \(Limits.nesting)")
            }
            tokens.append(token)
        }
        self.init(tokens)
    }

    private static func unescape(_ part: Substring.UTF8View) -> String? {
        guard part.contains(UInt8(ascii: "~")) else { return String(Substring(part)) }
        var token: [UInt8] = []
        var rest = part
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "~") else {
                token.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "0"): token.append(UInt8(ascii: "~"))
            case UInt8(ascii: "1"): token.append(UInt8(ascii: "/"))
            default: return nil
            }
        }
        return String(decoding: token, as: UTF8.self)
    }

    public func appending(_ token: String) -> Pointer { Pointer(tokens + [token]) }

    public func appending(_ index: Int) -> Pointer { appending(String(index)) }

    /// The pointer's text.
    public var description: String {
        tokens.reduce(into: "") { $0 += "/" + Pointer.escape($1) }
    }

    /// Escapes a token.
    package static func escape(_ token: String) -> String {
        guard token.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return token }
        var text: [UInt8] = []
        for byte in token.utf8 {
            switch byte {
            case UInt8(ascii: "~"): text.append(contentsOf: "~0".utf8)
            case UInt8(ascii: "/"): text.append(contentsOf: "~1".utf8)
            default: text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    public static func == (left: Pointer, right: Pointer) -> Bool {
        left.tokens.elementsEqual(right.tokens) { $0.hasSameUTF8(as: $1) }
    }

    public func hash(into hasher: inout Hasher) {
        for token in tokens { hasher.combine(UTF8Text(token)) }
    }

    /// Whether this pointer is inside of `other`.
    func isInside(_ other: Pointer) -> Bool {
        tokens.count > other.tokens.count
            && zip(tokens, other.tokens).allSatisfy { $0.hasSameUTF8(as: $1) }
    }

    /// Parses an array index: digits without a leading zero.
    static func index(_ token: String) -> Int? {
        guard let first = token.utf8.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= first,
            first != UInt8(ascii: "0") || token.utf8.count == 1
        else { return nil }
        return Int(token)
    }
}

extension JSON {
    /// The value at a pointer; nil if it is missing.
    public subscript(_ pointer: Pointer) -> JSON? {
        pointer.tokens.reduce(Optional(self)) { value, token in
            switch value {
            case .object(let object): object[token]
            case .array(let elements):
                Pointer.index(token).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            default: nil
            }
        }
    }
}
