import TapeFormat

/// The place in a state that the differ visits.
final class Path {
    enum Token {
        case key(String)
        case index(Int)
    }

    private(set) var tokens: [Token] = []

    func reset() { tokens.removeAll(keepingCapacity: true) }

    /// - Throws: `EncodingError` if the place is too deep for a tape.
    func check() throws {
        if tokens.count > Limits.nesting { throw tooDeep }
    }

    var tooDeep: EncodingError { error("nested deeper than \(Limits.nesting)") }

    /// An error at this place.
    func error(_ message: String) -> EncodingError {
        .invalidValue(Null(), .init(codingPath: codingPath, debugDescription: message))
    }

    /// Runs `body` at the place below a token.
    func at<Output>(_ token: Token, _ body: () throws -> Output) rethrows -> Output {
        tokens.append(token)
        defer { tokens.removeLast() }
        return try body()
    }

    /// The place as a JSON pointer, or one below it.
    func pointer(to token: Token? = nil) -> String {
        var text = ""
        for token in tokens { Self.append(token, to: &text) }
        if let token { Self.append(token, to: &text) }
        return text
    }

    private static func append(_ token: Token, to text: inout String) {
        text += "/"
        switch token {
        case .key(let key): text += Pointer.escape(Redacted.escaped(key))
        case .index(let index): text += String(index)
        }
    }

    var codingPath: [any CodingKey] {
        tokens.map { token in
            switch token {
            case .key(let key): PlainKey(key)
            case .index(let index): PlainKey(index)
            }
        }
    }
}
