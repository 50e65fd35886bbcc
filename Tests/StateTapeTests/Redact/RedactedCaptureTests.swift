import OrderedCollections
import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

/// Secrets of an app's state, in every shape.
private struct Vault: Codable {
    struct Account: Codable, Identifiable {
        var id: Int
        var name: String
        var password: String?
    }

    struct Label: Codable, Hashable, RawRepresentable {
        var rawValue: String
    }

    enum Login: Codable {
        case out
        case waiting(code: String)
        case token(String)
    }

    var title = "vault"
    var pinCode = 1_234
    var accounts: [Account] = []
    var login = Login.out
    var values: [String: String] = [:]
    var labelled: [Label: String] = [:]
    var ordered: OrderedDictionary<String, String> = [:]
    var secrets: Set<String> = []
    var longToken = String(repeating: "x", count: 100)
    var own = Own()

    struct Own: Codable {
        var a = 1
        var b = 2

        enum CodingKeys: String, CodingKey {
            case a = "$redacted"
            case b = "$$redacted"
        }
    }
}

@Suite("Secrets in captured states")
struct RedactedCaptureTests {
    private let marker: JSON = ["$redacted": true]

    private func whole(_ value: some Encodable, _ redactor: Redactor = .standard) throws -> JSON {
        let buffer = ByteBuffer()
        let slice = Slice(only: [], except: [], place: redactor.root)
        try DirectEncoder(redactor).encode(value, slice: slice, to: buffer)
        return try JSON(parsing: buffer.bytes)
    }

    /// The patch, which must lead to the new value redacted as a whole.
    private func patch<Value: Encodable>(
        _ old: Value, _ new: Value, _ redactor: Redactor = .standard
    ) throws -> JSON {
        let buffer = ByteBuffer()
        let slice = Slice(only: [], except: [], place: redactor.root)
        try Differ(layouts: Layouts(), slice: slice, redactor).difference(from: old, to: new, to: buffer)
        let patch = try JSON(parsing: buffer.bytes)
        var tree = try whole(old, redactor)
        try Patch(patch).apply(to: &tree)
        #expect(try tree == whole(new, redactor))
        return patch
    }

    private var vault: Vault {
        var vault = Vault()
        vault.accounts = [.init(id: 1, name: "a", password: "hunter1"), .init(id: 2, name: "b", password: nil)]
        vault.values = ["theme": "dark", "api_key": "hunter2"]
        vault.labelled = [.init(rawValue: "theme"): "dark", .init(rawValue: "authToken"): "hunter3"]
        vault.ordered = ["theme": "dark", "cookie": "hunter4", "last": "one"]
        vault.secrets = ["hunter5"]
        return vault
    }

    @Test("A whole state has a marker in the place of each secret")
    func state() throws {
        let tree = try whole(vault)
        #expect(!tree.text.contains("hunter") && !tree.text.contains("1234") && !tree.text.contains("xx"))
        #expect(tree["title"] == "vault")
        #expect(tree["pinCode"] == marker && tree["secrets"] == marker && tree["longToken"] == marker)
        #expect(tree["accounts"] == [["id": 1, "name": "a", "password": marker], ["id": 2, "name": "b"]])
        #expect(tree["values"] == ["theme": "dark", "api_key": marker])
        #expect(tree["labelled"] == ["authToken", marker, "theme", "dark"])
        #expect(tree["ordered"] == ["theme", "dark", "cookie", marker, "last", "one"])
        #expect(tree["own"] == ["$$redacted": 1, "$$$redacted": 2])
    }

    @Test("A secret is not part of a patch, changed or not")
    func unchanged() throws {
        var next = vault
        next.pinCode = 4_321
        next.accounts[0].password = "hunter9"
        next.values["api_key"] = "hunter9"
        next.labelled[.init(rawValue: "authToken")] = "hunter9"
        next.ordered["cookie"] = "hunter9"
        next.secrets = ["hunter9", "hunter10"]
        next.longToken += "y"
        #expect(try patch(vault, next) == [])
        next.title = "other"
        #expect(try patch(vault, next) == [["op": "replace", "path": "/title", "value": "other"]])
    }

    @Test("A patch has a marker for a new secret")
    func added() throws {
        var next = vault
        next.accounts[1].password = "hunter9"
        next.accounts.append(.init(id: 3, name: "c", password: "hunter9"))
        next.values["myToken"] = "hunter9"
        next.labelled[.init(rawValue: "aToken")] = "hunter9"
        next.ordered.updateValue("hunter9", forKey: "pin", insertingAt: 0)
        next.login = .token("hunter9")
        let patch = try patch(vault, next).text
        #expect(!patch.contains("hunter"))
        #expect(patch.contains(#"{"op":"add","path":"/values/myToken","value":{"$redacted":true}}"#))
    }

    @Test("A value of an ordered dictionary whose key becomes a secret's, or stops being one, changes")
    func keys() throws {
        var next = vault
        next.ordered = ["theme": "dark", "token": "hunter9", "last": "one"]
        #expect(try !patch(vault, next).text.contains("hunter"))
        next.ordered = ["theme": "dark", "name": "plain", "last": "one"]
        #expect(try patch(vault, next).text.contains("plain"))
        var plain = vault
        plain.ordered = ["a": "x", "b": "y"]
        next.ordered = ["a": "x", "z": "y", "token": "y"]
        _ = try patch(plain, next)
        _ = try patch(next, plain)
    }

    @Test("A value of a dictionary is secret if its key holds an enum's case with a secret's name")
    func enumKeys() throws {
        enum Field: Codable, Hashable {
            case email, password
            indirect case of(account: Int, Field)
        }
        struct Row: Codable, Hashable {
            var token = 1
            var number = 1
        }
        struct State: Codable {
            var values: [Field: String] = [.email: "ann", .password: "hunter1", .of(account: 1, .password): "hunter2"]
            var ordered: OrderedDictionary<Field, String> = [.password: "hunter3", .email: "ann"]
            var rows = [Row(): "plain"]
        }
        let tree = try whole(State())
        #expect(!tree.text.contains("hunter"))
        #expect(tree["ordered"] == [["password": marker], marker, ["email": [:]], "ann"])
        #expect(tree["rows"] == [["token": marker, "number": 1], "plain"])
        var next = State()
        next.values[.password] = "hunter5"
        next.values[.of(account: 1, .password)] = "hunter6"
        next.ordered[.password] = "hunter7"
        #expect(try patch(State(), next) == [])
        next.values[.email] = "bob"
        next.values[.of(account: 2, .password)] = "hunter8"
        next.rows[Row()] = "other"
        let text = try patch(State(), next).text
        #expect(text.contains("bob") && text.contains("other") && !text.contains("hunter"))
    }

    @Test("A large ordered dictionary keeps its secrets from step to step")
    func largeOrdered() throws {
        let differ = Differ(layouts: Layouts())
        var value = vault
        for index in 0..<400 { value.ordered[index % 50 == 7 ? "token\(index)" : "key\(index)"] = "hunter\(index)" }
        value.ordered.removeValue(forKey: "cookie")
        var tree = try whole(value)
        for step in 0..<6 {
            let old = value
            let key = value.ordered.keys[step % 2 == 0 ? 9 : 12]
            value.ordered[key] = "changed\(step)"
            value.ordered["key20"] = "step \(step)"
            let buffer = ByteBuffer()
            try differ.difference(from: old, to: value, to: buffer)
            try Patch(JSON(parsing: buffer.bytes)).apply(to: &tree)
            #expect(try tree == whole(value))
        }
    }

    @Test("An app's own members that look like the marker are renamed, in patches too")
    func own() throws {
        var next = vault
        next.own.a = 5
        next.own.b = 6
        let patch = try patch(vault, next)
        #expect(patch[0]?["path"] == "/own/$$redacted" && patch[1]?["path"] == "/own/$$$redacted")
        let outcome = try Overlay.decode(Vault.Own.self, from: whole(next.own), over: whole(Vault.Own()))
        #expect(outcome.value.a == 5 && outcome.value.b == 6)
        #expect(outcome.adjustments.ignored.isEmpty && outcome.adjustments.filled.isEmpty)
        let lacking = try Overlay.decode(Vault.Own.self, from: ["x": 1], over: whole(next.own))
        #expect(lacking.value.a == 5 && lacking.adjustments.filled == ["/$$redacted", "/$$$redacted"])
    }

    @Test("A closure redacts places, elements among them, in whole states and in patches")
    func closure() throws {
        let secret: Set<[String]> = [
            ["title"], ["accounts", "*", "name"], ["values", "theme"], ["ordered", "*"], ["own", "$redacted"],
        ]
        let redactor = Redactor(.none.adding { secret.contains($0) })
        let tree = try whole(vault, redactor)
        #expect(tree["title"] == marker && tree["accounts"]?[0]?["name"] == marker)
        #expect(tree["values"] == ["theme": marker, "api_key": "hunter2"])
        #expect(tree["ordered"] == .array([JSON](repeating: marker, count: 6)))
        #expect(tree["own"] == ["$$redacted": marker, "$$$redacted": 2])
        var next = vault
        next.title = "other"
        next.accounts[0].name = "other"
        next.values["theme"] = "light"
        next.ordered["theme"] = "light"
        next.own.a = 7
        #expect(try patch(vault, next, redactor) == [])
        next.ordered["more"] = "light"
        next.accounts.insert(.init(id: 9, name: "secret", password: "plain"), at: 0)
        let text = try patch(vault, next, redactor).text
        #expect(!text.contains("secret") && !text.contains("light") && text.contains("plain"))
    }

    @Test("A closure redacts the elements of arrays and sets and the entries of dictionaries")
    func elements() throws {
        struct State: Encodable {
            var list = [1, 2]
            var set: Set = ["a"]
            var pairs = [1.5: "x"]
            var named = ["k": "x"]
        }
        let redactor = Redactor(.none.adding { $0.count == 2 })
        var next = State()
        next.list = [3, 2, 1]
        next.set = ["b", "c"]
        next.pairs = [1.5: "y", 2.5: "z"]
        next.named = ["k": "y", "l": "z"]
        #expect(try whole(State(), redactor)["list"] == [marker, marker])
        let text = try patch(State(), next, redactor).text
        #expect(!text.contains("y") && !text.contains("z") && !text.contains("3"))
        _ = try patch(next, State(), redactor)
    }

    @Test("A value recorded by reflection is secret by its type's name as well")
    func reflected() throws {
        struct AuthToken { var value = "hunter2" }
        struct Box<Content> { var content: Content }
        struct TokenState {
            var current = AuthToken()
            var all: [Box<AuthToken>] = [Box(content: AuthToken())]
            var password: String? = "hunter2"
            var named = ["pin": 1, "theme": 2]
            var title = "plain"
        }
        let tree = try whole(Reflected(TokenState()))
        #expect(
            tree == [
                "current": marker, "all": [["content": marker]], "password": marker,
                "named": ["pin": marker, "theme": 2], "title": "plain",
            ])
        var next = TokenState()
        next.current.value = "hunter3"
        next.all[0].content.value = "hunter3"
        next.password = nil
        #expect(try patch(Reflected(TokenState()), Reflected(next)) == [])
        next.title = "other"
        #expect(try patch(Reflected(TokenState()), Reflected(next))[0]?["path"] == "/title")
    }
}
