import TapeFormat

/// ``SecretRules`` prepared for fast lookups.
package final class Redactor: Sendable {
    package static let standard = Redactor(.standard)
    package static let none = Redactor(.none)

    /// The word before base64 of a name and a password.
    static let basic = "basic"

    let words: SecretWords
    /// Those that a text is searched for.
    let textWords: SecretWords
    let findsPasswordsOfURLs: Bool
    private let closures: [@Sendable ([String]) -> Bool]

    package init(_ rules: SecretRules) {
        words = SecretWords(rules.words)
        textWords = SecretWords(
            rules.words.contains("authorization") ? rules.words.union([Self.basic]) : rules.words,
            isForText: true)
        findsPasswordsOfURLs = rules.words.contains("password")
        closures = rules.closures
    }

    /// What a member's name means to the encoder; empty for most.
    struct Meaning: OptionSet {
        let rawValue: UInt8

        static let secret = Meaning(rawValue: 1)
        /// The name on the tape differs: see ``Redacted``.
        static let escaped = Meaning(rawValue: 2)
        /// Its value may be the name of a value beside it; see ``SiblingRoles``.
        static let name = Meaning(rawValue: 4)
        /// Another member's value may be its name.
        static let value = Meaning(rawValue: 8)
        static let pair: Meaning = [.name, .value]
    }

    func meaning(of name: String) -> Meaning {
        if isSecret(name) { return .secret }
        if Redacted.isEscaped(name) { return .escaped }
        return words.isEmpty ? [] : SiblingRoles.of(name)
    }

    /// Whether a name contains one of the words.
    func isSecret(_ name: String) -> Bool {
        var name = name
        let isFound = name.withUTF8 { name in
            words.word(in: name) != nil ? true : name.contains { $0 >= 0x80 } ? nil : false
        }
        if let isFound { return isFound }
        var folded = name.folded
        return folded.withUTF8 { words.word(in: $0) != nil }
    }

    /// How far a name is a secret's.
    func naming(of name: UnsafeBufferPointer<UInt8>) -> Naming {
        let naming = words.naming(of: name)
        guard naming == .none, name.contains(where: { $0 >= 0x80 }) else { return naming }
        var folded = String(decoding: name, as: UTF8.self).folded
        return folded.withUTF8 { words.naming(of: $0) }
    }

    /// The root place for the closures; nil if there are none.
    package var root: Place? { closures.isEmpty ? nil : Place([], self) }

    /// Whether a closure finds the place secret.
    func isSecret(place names: [String]) -> Bool { closures.contains { $0(names) } }

    /// The pointer up to the first secret place; nil if no place is secret.
    func secretPlace(in pointer: String) -> String? {
        guard let tokens = (try? Pointer(parsing: pointer))?.tokens else { return nil }
        let names = tokens.map { UInt($0) == nil ? $0 : "*" }
        let end = tokens.indices.first { isSecret(tokens[$0]) || isSecret(place: Array(names[...$0])) }
        return end.map { Pointer(Array(tokens[...$0])).description }
    }
}

/// A place to ask the closures of ``SecretRules`` about.
package final class Place: Sendable {
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
    /// In lower case beyond ASCII too, with a border before each run of former capitals, and in place of each symbol.
    fileprivate var folded: String {
        var (folded, wasCapital) = ("", false)
        for scalar in unicodeScalars {
            if scalar.isSymbol {
                folded += "_"
                continue
            }
            let isCapital = !scalar.isASCII && scalar.properties.isUppercase
            if isCapital, !wasCapital { folded += "_" }
            if isCapital { folded += scalar.properties.lowercaseMapping } else { folded.unicodeScalars.append(scalar) }
            wasCapital = isCapital
        }
        return folded
    }
}

extension Unicode.Scalar {
    /// Whether it is outside of ASCII and not a letter: `✓`, `²`, `🔒`. A mark belongs to the letter before it.
    fileprivate var isSymbol: Bool {
        guard !isASCII else { return false }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .nonspacingMark, .spacingMark, .enclosingMark:
            return false
        default: return true
        }
    }
}
