import Foundation
import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape
@testable import TapeUplink

@Suite("A redaction")
struct RedactionTests {
    @Test(
        "A name with a whole secret word is secret",
        arguments: [
            "password", "userPassword", "passwordHash", "user_password", "user-password", "PASSWORD", "Password2",
            "passWord", "_password", "$password", "old password", "loginPasswd", "passcode", "pin", "PIN", "cardPIN",
            "PINCode", "PINcode", "pin2", "secret", "clientSecret", "token", "accessToken", "access_token",
            "oauth2Token",
            "csrf-token", "tokens", "passwords", "cookies", "secrets", "PINs", "apiKeys", "Authorization",
            "authorization", "proxy-authorization", "Set-Cookie", "cvv", "CVV2", "ssn", "userSSN", "apiKey", "APIKey",
            "API_KEY", "x-api-key", "apikey", "APIkey", "privateKey", "private_key", "éToken", "tokenÜbersicht",
            "password✓", "Password🔒", "🔑token", "password’s", "password™", "authToken²", "token①", "Password *",
        ])
    func secret(name: String) {
        #expect(Redactor.standard.isSecret(name))
    }

    @Test(
        "A name with a secret word inside another word is not secret",
        arguments: [
            "", "_", "shipping", "tokenizer", "Tokenizer", "pinned", "isPinned", "spin", "spinner", "pinch", "opinion",
            "mapping", "typing", "secretary", "cookiecutter", "tokenized", "passwordless", "authorizationless", "key",
            "keys", "keyPath", "apiVersion", "api", "primaryKey", "privateMode", "author", "pi", "tokeń", "passport",
            "compass", "happiness", "lesson", "session", "assn", "upIn", "stopIn", "shippingPinned",
        ])
    func friend(name: String) {
        #expect(!Redactor.standard.isSecret(name))
    }

    @Test("Words can be added and removed, in the plural too")
    func words() {
        let own = Redactor(
            .standard.adding("iban", "date of birth", "Geburtstag", "Öffnung").removing("cookie", "apiKey"))
        for name in ["iban", "customerIBAN", "ibans", "dateOfBirth", "date_of_birth", "geburtstag", "dieÖffnung"] {
            #expect(own.isSecret(name), "\(name)")
        }
        for name in ["cookie", "cookies", "api_key", "apiKeys", "birthDate", "urbaniban"] {
            #expect(!own.isSecret(name), "\(name)")
        }
        #expect(own.isSecret("password"))
        #expect(!Redactor.standard.isSecret("iban"))
        #expect(!Redactor.none.isSecret("password"))
        #expect(Redactor(.none.adding("iban", "", " ")).isSecret("iban"))
        #expect(!Redactor(.none.adding("", " ")).isSecret("s"))
    }

    @Test("A text loses the value after a secret's name")
    func text() {
        let texts = [
            ("password=hunter2", "password=$redacted"),
            ("the token: abc\nnext line", "the token: $redacted\nnext line"),
            ("Authorization: Bearer abc.def", "Authorization: $redacted"),
            ("sent bearer abc", "sent bearer $redacted"), ("BEARER abc", "BEARER $redacted"),
            ("basic YTpi, x", "basic $redacted"), ("x\nCookie: a=b; c=d\ny", "x\nCookie: $redacted\ny"),
            ("https://ann:abc@example.com:80/a", "https://ann:$redacted@example.com:80/a"),
            ("https://a:80/@x https://b:c@d/", "https://a:80/@x https://b:$redacted@d/"),
            ("https://a/?pass%77ord=abc", "https://a/?pass%77ord=$redacted"),
            ("https://a/?to=%2Fb%3Ftoken%3Dabc", "https://a/?to=%2Fb%3Ftoken%3D$redacted"),
            ("field=password&value=abc", "field=password&value=$redacted"),
            ("GET /?access_token=abc&x=1 HTTP", "GET /?access_token=$redacted"),
            (#"{"a":1,"password":"x"}"#, #"{"a":1,"password":{"$redacted":true}}"#),
            (#"got {"a":1,"password":"x"}"#, #"got {"a":1,"password":$redacted"#),
            (#"{\"pin\": 1234}"#, #"{\"pin\": $redacted"#),
            ("setPassword(\"x\n y\")\nmore", "setPassword($redacted"),
            ("user_api_key => x", "user_api_key => $redacted"),
            ("private key:\n-----BEGIN\nabc", "private key:$redacted"),
            ("<password>x</password>", "<password>$redacted"),
            ("passwordField = x", "passwordField = $redacted"),
            ("tokens: [\n1,\n2]", "tokens: $redacted"),
            (
                "name=\"a\"\r\n\r\nx\r\nname=\"user[password]\"\r\n\r\ny",
                "name=\"a\"\r\n\r\nx\r\nname=\"user[password]\"$redacted"
            ),
            ("name=password; filename=\"a\"\r\n\r\nx", "name=password; filename=\"a\"\r$redacted"),
            ("<input name='password'\n  value='x'>", "<input name='password'$redacted"),
        ]
        for (text, readable) in texts { #expect(Redactor.standard.readable(text) == readable) }
        for text in [
            "", "the token was refreshed", "password", "password:", "shipping: yes", "a=1; spin=2", "bearer",
            "https://example.com:8080/tokens?page=2#top", "mailto:ann@example.com", "Basic plan: 5 users", "%", "%%3",
            "100% of tokens", "{", "[token",
            "<b>password</b> is needed", "see password.", "a password... and more", "<password>",
            "1 + 2 * password * 3", "name=\"password\"", "a new password\n\nis needed", "rename password;\nx",
        ] {
            #expect(Redactor.standard.readable(text) == text)
        }
        #expect(Redactor.none.readable("password=hunter2") == "password=hunter2")
    }

    @Test("A text of any length is searched once", .timeLimit(.minutes(1)))
    func longTexts() {
        let parts = [
            "token-", "token ", "tokena", "p-", "a----", "https://a:b/", "//", "//:", "//a:@", "Basic ", "bearer\t",
            "%41", "%25", "password value ", "token\"", "name=token;", "<token ", "<key>token<", "token*", "token.a",
            "&quot;token", "[{\"token\":", "\"\\",
        ]
        for part in parts {
            let text = String(repeating: part, count: 300_000 / part.utf8.count)
            _ = Redactor.standard.readable(text)
            _ = Redactor.standard.readable(String(text.prefix(100_000)) + "=")
        }
    }

    @Test("Words that are added or removed count for names that are values too")
    func namesAsValues() throws {
        let own = Redactor(.standard.adding("iban").removing("password"))
        let json: JSON = [["key": "customerIBAN", "value": "x"], ["key": "password", "value": "y"], "iban: z"]
        #expect(
            own.redacted(json) == [
                ["key": "customerIBAN", "value": ["$redacted": true]], ["key": "password", "value": "y"],
                ["$redacted": "iban: $redacted"],
            ])
        #expect(own.readable("https://a:b@c/") == "https://a:b@c/")
        #expect(Redactor.none.redacted(json) == json)
    }

    @Test("Places below a secret are not reported")
    func places() {
        let own = Redactor(.standard.adding { $0 == ["users", "*", "phone"] })
        #expect(
            own.readable(["/tokens/abc", "/tokens/def", "/theme", "/users/3/phone/home"]) == [
                "/tokens", "/theme", "/users/3/phone",
            ])
        let failure = own.readable(Pushed.Failure(code: .decode, message: "“abc” is not a URL", path: "/token/x"))
        #expect(failure.path == "/token" && !failure.message.contains("abc"))
        let other = Pushed.Failure(code: .decode, message: "“abc” is not a URL", path: "/home")
        #expect(own.readable(other) == other)
    }

    @Test("A label of a header is redacted by its name")
    func labels() {
        let launch = Launch(
            environment: ["STATETAPE_LABELS": "branch=main,api_token=abc,why=password=x"], arguments: ["/bin/app"])
        let identity = Identity(started: .init(), token: nil, launch: launch, .standard)
        #expect(
            identity.sessionIdentity.header.labels
                == ["branch": "main", "api_token": "$redacted", "why": "password=$redacted"])
    }

    @Test("An error is described without the value that it holds")
    func errors() {
        let context = EncodingError.Context(
            codingPath: [PlainKey("user"), PlainKey("tokens"), PlainKey("abc")], debugDescription: "password: x")
        let text = Redactor.standard.readable(EncodingError.invalidValue(["hunter2"], context))
        #expect(text == "password: $redacted, at “/user/tokens”")
    }
}
