import Foundation
import Testing

@testable import StateCapture
@testable import StateTape

private enum Plain: Error {
    case empty, tooMany(Int, of: String), nested(Inner), secret(password: String), login(LoginFailure)
}
private enum Inner: Error, Codable { case deep(Set<String>), none }
private struct LoginFailure: Error, Codable { var user = "ann", token = "t-123" }
private struct Oops: Error {}
private struct TokenError: Error { var why = "old" }
private final class Instance: Error {
    let number = 3
}
private struct Described: Error, CustomStringConvertible {
    var description: String
}
private enum Localized: LocalizedError {
    case full
    var errorDescription: String? { "Der Korb ist voll." }
}
private struct Throwing: Error, Encodable {
    func encode(to encoder: any Encoder) throws { throw Oops() }
}
private struct Huge: Error { var text = String(repeating: "é", count: 100_000) }

@Suite("Texts of errors")
struct ErrorTextTests {
    private func text(_ error: any Error) -> String { ErrorText.of(error, .standard) }

    @Test("An error's text has its case or its type, its values, and no secret")
    func table() {
        let table: [(any Error, String)] = [
            (Plain.empty, "Plain.empty"), (Plain.tooMany(3, of: "a\nb"), #"Plain.tooMany(3, of: "a\nb")"#),
            (Plain.nested(.deep(["b", "a", "c"])), #"Plain.nested.deep(["a","b","c"])"#),
            (Inner.deep(["b", "a", "c"]), #"Inner.deep(["a","b","c"])"#), (Inner.none, "Inner.none"),
            (Plain.secret(password: "hunter2"), "Plain.secret($redacted)"),
            (Plain.login(LoginFailure()), #"Plain.login({"user":"ann","token":{"$redacted":true}})"#),
            (LoginFailure(), #"LoginFailure(user: "ann", token: $redacted)"#),
            (Oops(), "Oops"), (TokenError(), "TokenError($redacted)"), (Instance(), "Instance(number: 3)"),
            (Localized.full, "Localized.full"),
            (Described(description: "no stock"), "Described: no stock"),
            (Described(description: "Described by itself"), "Described by itself"),
            (Described(description: "sent password: hunter2"), "Described: sent password: $redacted"),
            (Throwing(), "Throwing(…)"), (CancellationError(), "CancellationError"),
            (NSError(domain: "Shop", code: 5), "Shop 5"),
            (
                NSError(domain: "Shop", code: 5, userInfo: [NSLocalizedDescriptionKey: "Sold out", "token": "t-1"]),
                "Shop 5: Sold out"
            ),
            (URLError(.timedOut), "NSURLErrorDomain -1001"),
            (CocoaError(.fileNoSuchFile), "NSCocoaErrorDomain 4"),
            (POSIXError(.ENOENT), "NSPOSIXErrorDomain 2"),
        ]
        for (error, expected) in table { #expect(text(error) == expected) }
    }

    @Test("A long text is shortened, and an error that holds too much has only its name")
    func long() {
        #expect(text(Huge()).hasPrefix("Huge(") && text(Huge()).unicodeScalars.count <= ErrorText.maxLength + 1)
        let long = text(Described(description: String(repeating: "é", count: 100_000)))
        #expect(long.unicodeScalars.count == ErrorText.maxLength + 1 && long.hasSuffix("é…"))
        // A secret at the place where the text is cut does not survive.
        let cut = String(repeating: "x ", count: ErrorText.maxLength / 2 - 8) + "password: hunter2 and more"
        #expect(!text(Described(description: cut)).contains("hunter"))
    }

    @Test("A decoding error says what is missing")
    func decoding() {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(LoginFailure.self, from: Data("{}".utf8))
        }
        #expect(error.map(text)?.contains("user") == true)
    }
}
