import TapeFormat

/// A ``Redaction`` made ready to be asked.
final class Redactor: Sendable {
    static let standard = Redactor(.standard)
    static let none = Redactor(.none)

    let words: WordTree
    private let closures: [@Sendable ([String]) -> Bool]

    init(_ redaction: Redaction) {
        words = WordTree(redaction.words)
        closures = redaction.closures
    }

    /// What a member's name means to the encoder.
    enum Meaning: UInt8 {
        case plain
        case secret
        /// Another name stands on the tape: see ``Redacted``.
        case escaped
    }

    func meaning(of name: String) -> Meaning {
        if isSecret(name) { return .secret }
        return Redacted.isEscaped(name) ? .escaped : .plain
    }

    /// Whether a name holds one of the words.
    func isSecret(_ name: String) -> Bool {
        var name = name
        let isFound = name.withUTF8 { name in
            words.word(in: name) != nil ? true : name.contains { $0 >= 0x80 } ? nil : false
        }
        if let isFound { return isFound }
        var folded = name.folded
        return folded.withUTF8 { words.word(in: $0) != nil }
    }

    /// The root, of which the closures are asked; nil if there is none.
    var root: Place? { closures.isEmpty ? nil : Place([], self) }

    /// Whether closures are asked about places.
    func isSecret(place names: [String]) -> Bool { closures.contains { $0(names) } }

    /// A pointer as far as the first place that is secret, where it holds the keys of dictionaries below; nil if none is.
    func secretPlace(in pointer: String) -> String? {
        guard let tokens = (try? Pointer(parsing: pointer))?.tokens else { return nil }
        let names = tokens.map { UInt($0) == nil ? $0 : "*" }
        let end = tokens.indices.first { isSecret(tokens[$0]) || isSecret(place: Array(names[...$0])) }
        return end.map { Pointer(Array(tokens[...$0])).description }
    }
}

/// A place of which a ``Redaction``'s closures are asked.
final class Place: Sendable {
    private let names: [String]
    private let redactor: Redactor

    init(_ names: [String], _ redactor: Redactor) {
        self.names = names
        self.redactor = redactor
    }

    /// The place of a member, or of elements as `*`; nil if it is secret.
    func below(_ name: String) -> Place? {
        let names = names + [name]
        return redactor.isSecret(place: names) ? nil : Place(names, redactor)
    }
}

extension String {
    /// In lower case beyond ASCII, with a border where a capital was.
    fileprivate var folded: String {
        var (folded, wasCapital) = ("", false)
        for scalar in unicodeScalars {
            let isCapital = !scalar.isASCII && scalar.properties.isUppercase
            if isCapital, !wasCapital { folded += "_" }
            if isCapital { folded += scalar.properties.lowercaseMapping } else { folded.unicodeScalars.append(scalar) }
            wasCapital = isCapital
        }
        return folded
    }
}
