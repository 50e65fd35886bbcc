package import TapeFormat

/// A JSON Pointer in which `*` stands for one token and `**` for any number of tokens, also none: `/**/lastUpdated`.
///
/// A token inside of text, such as `/item*`, has no special meaning. A key that is `*` or `**` itself can't be named
/// alone, because both also match other keys.
package struct PathPattern: Sendable, Hashable, CustomStringConvertible {
    fileprivate enum Part: Sendable, Hashable {
        case key(UTF8Text)
        case any
        case anyNumber
    }

    /// The position of a walk through a value, from its top to one of its parts.
    ///
    /// It holds every place in the pattern that the walk can have reached, so that several `**` cost no backtracking.
    package struct Walk: Sendable {
        private let parts: [Part]
        /// The indices of the parts that come next, ascending; `parts.count` is the end of the pattern.
        private let next: [Int]

        fileprivate init(_ parts: [Part], next: [Int] = [0]) {
            self.parts = parts
            // `**` also stands for no token.
            self.next = next.reduce(into: []) { reached, index in
                var index = index
                if reached.last.map({ $0 < index }) ?? true { reached.append(index) }
                while index < parts.count, parts[index] == .anyNumber {
                    index += 1
                    if reached.last.map({ $0 < index }) ?? true { reached.append(index) }
                }
            }
        }

        /// Whether the pattern leads to this part.
        package var isMatch: Bool { next.last == parts.count }
        /// Whether the pattern can match no part of this part.
        package var isOver: Bool { next.allSatisfy { $0 == parts.count } }

        /// The position one token further.
        package func step(_ token: String) -> Walk {
            var reached: [Int] = []
            for index in next where index < parts.count {
                switch parts[index] {
                case .anyNumber: reached.append(index)
                case .any: reached.append(index + 1)
                case .key(let key): if key == UTF8Text(token) { reached.append(index + 1) }
                }
            }
            return Walk(parts, next: reached)
        }
    }

    /// The pattern's text.
    package let description: String
    private let parts: [Part]

    /// Parses a pattern.
    ///
    /// - Throws: `FormatError` if the text is no JSON Pointer, or is empty: that would be the whole value.
    package init(_ text: String) throws(FormatError) {
        guard text.hasPrefix("/") else { throw FormatError("path “\(text.prefix(100))” must begin with “/”") }
        description = text
        parts = try Pointer(parsing: text).tokens.reduce(into: []) { parts, token in
            switch token {
            // Two in a row match what one matches.
            case "**": if parts.last != .anyNumber { parts.append(.anyNumber) }
            case "*": parts.append(.any)
            default: parts.append(.key(UTF8Text(token)))
            }
        }
    }

    /// A walk that starts at the top of a value.
    package var walk: Walk { Walk(parts) }

    /// Whether the pattern leads to the value with these unescaped keys and indices.
    package func matches(_ tokens: [String]) -> Bool {
        tokens.reduce(walk) { $0.step($1) }.isMatch
    }

    /// Whether the pattern leads to the value with these keys and indices, or to a value that contains it.
    package func covers(_ tokens: [String]) -> Bool {
        var walk = walk
        if walk.isMatch { return true }
        for token in tokens {
            walk = walk.step(token)
            if walk.isMatch { return true }
        }
        return false
    }
}
