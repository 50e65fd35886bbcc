/// What is left out of the tape before anything leaves the process: the values of members whose names tell a secret.
///
/// A name is split where its case changes, between letters and digits and at all other characters; one whole word of it
/// is enough, in any case, in the singular or the plural, and several words count in a row. So `userPassword`,
/// `API_KEY`, `access-token` and `cookies` are secret; `shipping`, `pinned` and `tokenizer` are not. On the tape such a
/// value is `{"$redacted":true}`, whatever it was. Names are those of members and of dictionaries' keys in states and
/// actions, at any depth, the names of actions, and those of types that are recorded by reflection.
///
/// ```swift
/// let tape = Recorder(redaction: .standard.adding("iban").removing("cookie"))
/// ```
public struct Redaction: Sendable {
    /// Their letters in lower case, without what stands between the words.
    private(set) var words: Set<String> = []
    /// Told the place; any of them may find it secret.
    private(set) var closures: [@Sendable ([String]) -> Bool] = []

    /// Nothing is redacted.
    public static let none = Redaction()

    /// The words that mostly name secrets: of passwords, tokens, keys, cookies and cards.
    public static let standard = Redaction.none.adding(
        "password", "passwd", "pwd", "passcode", "passphrase", "pin", "pin code", "otp", "secret", "token", "jwt",
        "bearer", "access token", "auth token", "refresh token", "authorization", "authorisation", "credential",
        "cookie", "api key", "access key", "private key", "secret key", "signing key", "encryption key", "ssn",
        "social security number", "card number", "cvv", "cvc")

    /// Redacts what these words name as well.
    ///
    /// - Parameter words: `iban`, or several in a row: `date of birth` is found in `dateOfBirth` and `date_of_birth`.
    public func adding(_ words: String...) -> Redaction {
        var redaction = self
        for word in words.map(Self.letters) where !word.isEmpty { redaction.words.formUnion([word, word + "s"]) }
        return redaction
    }

    /// Leaves what these words name readable.
    public func removing(_ words: String...) -> Redaction {
        var redaction = self
        for word in words.map(Self.letters) { redaction.words.subtract([word, word + "s"]) }
        return redaction
    }

    /// Redacts other places as well.
    ///
    /// - Parameter isSecret: Told a place as the names of the members that lead to it, from the store's state or from the
    ///   action as `Codable` writes it, with `*` for any element of an array: `["users", "*", "phone"]`. It is asked for
    ///   each member that is written, on any thread, and must always say the same of a place.
    public func adding(where isSecret: @escaping @Sendable (_ place: [String]) -> Bool) -> Redaction {
        var redaction = self
        redaction.closures.append(isSecret)
        return redaction
    }

    private static func letters(of word: String) -> String {
        String(word.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || ("0"..."9").contains($0) })
    }
}
