/// The names and the places whose values are secret.
package struct SecretRules: Sendable {
    /// In lower case, without the separators between words.
    package private(set) var words: Set<String> = []
    /// Each receives the place; one that returns true is enough.
    private(set) var closures: [@Sendable ([String]) -> Bool] = []

    /// Nothing is secret.
    package static let none = SecretRules()

    /// The usual names of secrets: of passwords, tokens, keys, cookies and cards.
    package static let standard = SecretRules.none.adding(

        "password", "passwd", "pwd", "passcode", "passphrase", "pin", "pin code", "otp", "secret", "token", "jwt",
        "bearer", "access token", "auth token", "refresh token", "authorization", "authorisation", "credential",
        "cookie", "api key", "access key", "private key", "secret key", "signing key", "encryption key", "ssn",
        "social security number", "card number", "cvv", "cvc")

    package mutating func add(_ names: [String]) {
        for word in names.map(Self.letters) where !word.isEmpty { words.formUnion([word, word + "s"]) }
    }

    package mutating func remove(_ names: [String]) {
        for word in names.map(Self.letters) { words.subtract([word, word + "s"]) }
    }

    package mutating func add(_ isSecret: @escaping @Sendable ([String]) -> Bool) { closures.append(isSecret) }

    private func adding(_ names: String...) -> SecretRules {
        var rules = self
        rules.add(names)
        return rules
    }

    private static func letters(of word: String) -> String {
        String(word.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || ("0"..."9").contains($0) })
    }
}
