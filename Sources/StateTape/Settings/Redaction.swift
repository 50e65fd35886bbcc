import StateCapture

/// Redacts the values of members with secret names before anything leaves the process.
///
/// A name is split into words where its case changes, between letters and digits, and at all other characters. It is
/// secret if one of its words, or several in a row, match a secret word, in any case, singular or plural. So
/// `userPassword`, `API_KEY`, `access-token` and `cookies` are secret; `shipping`, `pinned` and `tokenizer` are not. On
/// the tape, the value is always `{"$redacted":true}`.
///
/// Redaction checks the names of members and dictionary keys in states and actions, at any depth. It also checks the
/// names of actions, and of types that are recorded by reflection, and names that are values: `{"field":"password",
/// "value":"x"}`, key paths, URLs, headers. <doc:Redacting> says what it finds and what not.
///
/// ```swift
/// let tape = Recorder(.init(redaction: .standard.adding("iban").removing("cookie")))
/// ```
public struct Redaction: Sendable {
    private(set) var rules: SecretRules

    /// Redacts nothing.
    public static let none = Redaction(rules: .none)

    /// The usual names of secrets: of passwords, tokens, keys, cookies and cards.
    public static let standard = Redaction(rules: .standard)

    /// Redacts the values with these names as well.
    ///
    /// - Parameter words: `iban`, or several words in a row: `date of birth` matches `dateOfBirth` and `date_of_birth`.
    public func adding(_ words: String...) -> Redaction {
        var redaction = self
        redaction.rules.add(words)
        return redaction
    }

    /// Stops redacting the values with these names.
    public func removing(_ words: String...) -> Redaction {
        var redaction = self
        redaction.rules.remove(words)
        return redaction
    }

    /// Redacts other places as well.
    ///
    /// - Parameter isSecret: Receives the names of the members that lead to a place, from the store's state or from the
    ///   action as `Codable` writes it. `*` stands for any element of an array: `["users", "*", "phone"]`. The recorder
    ///   calls it for each member that it writes, on any thread. It must always return the same for a place.
    public func adding(where isSecret: @escaping @Sendable (_ place: [String]) -> Bool) -> Redaction {
        var redaction = self
        redaction.rules.add(isSecret)
        return redaction
    }
}
