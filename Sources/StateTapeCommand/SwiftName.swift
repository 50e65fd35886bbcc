/// The name of a type as a tape has it, such as `Shop.Box<Swift.Int>.Item`; see `types` in the format's article.
struct SwiftName {
    /// A type that the name mentions, by its module and its outermost type.
    struct Mention: Hashable {
        let module: String
        let top: String
    }

    private enum Piece {
        case text(String)
        case module(Mention)
    }

    /// Stands for a file or a function that hides a type.
    private static let hidden = "(private)."

    let isProtocol: Bool
    /// The type that its file or function hides.
    let hidden: String?
    private let pieces: [Piece]

    /// - Returns: Nil for a text that is not such a name: the tape may be anybody's.
    init?(_ text: String) {
        let plain = text.replacing(Self.hidden, with: "")
        guard !plain.isEmpty, plain.allSatisfy({ Self.isWord($0) || ".<>,& ".contains($0) }) else { return nil }
        isProtocol = text.hasPrefix("any ")
        hidden = text.ranges(of: Self.hidden).last.map { String(text[$0.upperBound...].prefix(while: Self.isWord)) }
        var pieces: [Piece] = []
        var rest = plain[...]
        // A name begins with its module, unless it goes on after a dot.
        var begins = true
        while let first = rest.first {
            let word = rest.prefix(while: Self.isWord)
            rest = rest.dropFirst(max(1, word.count))
            if begins, !word.isEmpty, rest.first == "." {
                rest = rest.dropFirst()
                pieces.append(.module(Mention(module: String(word), top: String(rest.prefix(while: Self.isWord)))))
                begins = false
            } else {
                pieces.append(.text(word.isEmpty ? String(first) : String(word)))
                begins = !first.isLetter && first != "." && first != "_" || word == "any"
            }
        }
        self.pieces = pieces
    }

    private static func isWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    /// Whether a text can name a module.
    static func isModule(_ text: String) -> Bool { !text.isEmpty && text.allSatisfy(isWord) }

    /// The types that it mentions, its own first.
    var mentions: [Mention] {
        pieces.compactMap { if case .module(let mention) = $0 { mention } else { nil } }
    }

    /// The name in source code.
    ///
    /// - Parameter isQualified: Whether a type needs its module.
    func source(_ isQualified: (Mention) -> Bool) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .module(let mention): isQualified(mention) ? mention.module + "." : ""
            }
        }.joined()
    }
}
