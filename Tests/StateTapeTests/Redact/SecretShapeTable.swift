import Foundation
import OrderedCollections

// The next row is the next leak.
extension SecretShape {
    static let all: [SecretShape] = [pairs, trees, texts, lists, byReflection].flatMap { $0 }

    // MARK: A name and a value beside each other

    static let pairs: [SecretShape] = [
        .pair("field and value") { FieldAndValue(field: $0, value: $1) },
        .pair("value before field") { ValueAndField(value: $1, field: $0) },
        .pair("name and value") { NameAndValue(name: $0, value: $1) },
        .pair("fieldName and newValue") { NamesOfSeveralWords(fieldName: $0, oldValue: "", newValue: $1) },
        .pair("type and text, in arrays") { [TypeAndText(type: $0, text: $1), .init(type: "plain", text: "x")] },
        .pair("header and content in a nested container") { NestedNames(header: $0, content: $1) },
        .pair("a dictionary with key and value") { ["key": $0, "value": $1, "other": "x"] },
        .pair("a dictionary with Int values beside it") { ["a": ["key": $0, "value": $1], "b": [:]] },
        .pair("an enum's unnamed values") { Form.changed($0, $1) },
        .pair("an enum's labelled values") { Form.set(field: $0, to: $1) },
        .pair("a label and an unnamed value") { Form.typed($1, field: $0) },
        .pair("a name of a type of its own") { Entry(key: Tag(rawValue: $0), value: $1) },
        .pair("a name in an object") { Entry(key: NameAndValue(name: $0, value: ""), value: $1) },
        .pair("a path of names") { PathAndValue(path: ["login", $0, "text"], value: $1) },
        .pair("a pointer") { FieldAndValue(field: "/login/\($0)", value: $1) },
        .pair("a key path in text") { FieldAndValue(field: "\\Form.login.\($0)", value: $1) },
        .pair("an object as the value") { Entry(key: $0, value: [$1: [$1]]) },
        .pair("a dictionary by names", isText: false) { [Tag(rawValue: $0): $1, Tag(rawValue: "colour"): "dark"] },
        .pair("a dictionary by objects with a name", isText: false) {
            [FormKey(form: "login", name: $0): $1, FormKey(form: "look", name: "colour"): "dark"]
        },
        .pair("a dictionary by paths", isText: false) { [["login", $0]: $1, ["look", "colour"]: "dark"] },
        .pair("a dictionary by cases with a name", isText: false) {
            [FormCase.other($0): $1, FormCase.login(.init(form: "x", name: $0)): $1, .other("colour"): "dark"]
        },
        .pair("an ordered dictionary by names", isText: false) {
            ["a": "x", $0: $1, "z": "y"] as OrderedDictionary<String, String>
        },
        .pair("pairs written by a type of its own", isText: false) { Pairs(values: [($0, $1), ("theme", "dark")]) },
        .pair("a name and a value as an array", isText: false) { Pairs(values: [($0, $1)]) },
        .pair("a dictionary that a type writes as its own", isText: false) {
            Forwarded(values: [Tag(rawValue: $0): $1])
        },
        .pair("members of a superclass") { Sub(key: $0, value: $1) },
        .pair("members in two calls") { Flat(key: $0, value: $1) },
        .pair("a key written twice") { NamedTwice(key: $0, value: $1) },
        .pair("capitals, kebab, a list") { FieldAndValue(field: $0.uppercased() + "-1", value: $1) },
        .coded("numbers", isText: false) {
            [("tokenCount", 5), ("pin", 31337), ("pin", 313_370), ("userPin", 31337), ("row", 3)].map {
                Entry(key: $0.0, value: $0.1)
            }
        },
        .coded("an enum's cases as names") {
            [Choice.Field.email, .password, .of(row: 1, .token), .of(row: 2, .email)].flatMap {
                let text = $0.isSecret ? "hunter2" : "ann"
                return [Choice(field: $0, value: text), Choice(field: $0, value: text + "!")]
            }
        },
    ]

    // MARK: Below a name

    static let trees: [SecretShape] = [
        .pair("a form of fields") { [FormField(id: "a", text: "x"), FormField(id: $0, text: $1)] },
        .pair("a request") {
            Request(
                url: URL(string: "https://example.com/a?q=1"), headers: [.init(name: $0, value: $1)],
                query: [NameAndValue(name: "page", value: "1"), NameAndValue(name: $0, value: $1)])
        },
        .pair("key and value in the value") { Entry(key: "settings", value: Entry(key: $0, value: $1)) },
    ]

    // MARK: Texts

    private static let secretTexts: [String] = [
        "https://example.com/?access_token=hunter2&page=2", "https://example.com/cb#access_token=hunter2",
        "https://ann:hunter2@example.com/", "https://ann:hun/ter@example.com/?x=1",
        "postgres://ann:hunter2@db:5432/app", "https://example.com/?pass%77ord=hunter2",
        "https://example.com/?next=https%3A%2F%2Fexample.com%2F%3Ftoken%3Dhunter2",
        "https://example.com/?next=https%253A%252F%252Fexample.com%252F%253Ftoken%253Dhunter2",
        "GET / HTTP/1.1\nAuthorization: Digest hunter2\nAccept: */*", "Cookie: sid=hunter2; theme=dark",
        "set-cookie: sid=hunter2; HttpOnly", "X-API-Key: hunter2", "Bearer hunter2", "BEARER hunter2",
        "bearer hunter2", "curl -H 'authorization: bearer hunter2'", "Proxy: Basic YW5uOmh1bnRlcjI= hunter",
        "BASIC YW5uOmh1bnRlcjI= hunter", #"{"password":"hunter2"}"#,
        #"{"a":"{\"b\":\"{\\\"token\\\":\\\"hunter2\\\"}\"}"}"#, #"log: {"name":"password","value":"hunter2"}"#,
        "name=password&value=hunter2", "user=ann&password=hunter2", #"<input name="password" value="hunter2">"#,
        "<password>hunter2</password>", #"FieldChanged(field: Form.Field.password, value: "hunter2")"#,
        #"setPassword("hunter2")"#, "Password: hunter2", "passWord => hunter2",
        "<password type=\"x\">hunter2</password>", "<key>password</key><string>hunter2</string>",
        "<key>password</key>\n  <string>hunter2</string>", "Password *: hunter2", "password[]=hunter2",
        "password.value=hunter2", "api+key=hunter2", "&quot;password&quot;:&quot;hunter2&quot;",
        "h: Bearer+hunter2", "<ns:password>hunter2</ns:password>",
        "otp(hunter2)", "token%3Dhunter2", "<input name='password'\n  type='text' value='hunter2'>",
        "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2\r\n--b--",
        "--b\r\nContent-Disposition: form-data; name=\"token\"; filename=\"a\"\r\n\r\nhunter2\r\n--b--",
    ]

    static let texts: [SecretShape] = secretTexts.map { text in
        .coded("text: \(text)") {
            [text, "x: " + text, text.replacing("hunter", with: "hunter3"), "plain", String(text.prefix(7))]
        }
    }

    static let lists: [SecretShape] = [
        .coded("JSON in a text, the name after the value") {
            [
                #"[{"value":"hunter2","name":"password"}]"#, #"{"a":"[{\"text\":\"hunter2\",\"id\":\"password\"}]"}"#,
                "[1]",
            ]
        },
        .coded("URLs") { ["a?token=hunter2", "a?page=2", "b?token=hunter3"].compactMap { URL(string: $0) } },
        .coded("data", isText: false) {
            [#"{"password":"hunter2"}"#, "a", "password=hunter2"].map { Data($0.utf8) }
        },
        .coded("a text that grows") {
            (0..<12).map { String(repeating: "some words, ", count: 10) + "password=hunter2".prefix($0 * 2) }
        },
        .coded("a set of texts") { [["x", "token=hunter2"], ["token=hunter3", "y"], ["y"]].map { Set($0) } },
    ]

    // MARK: By reflection

    static let byReflection: [SecretShape] = [
        .reflected("a binding by key path") {
            [
                Binding(\Login.email, "ann"), Binding(\Login.password, "hunter2"), Binding(\Login.password, "hunter"),
                Binding(\Login.secret.text, "hunter4"), Binding(\Login.email, "bob"),
                Binding(\Login.alias, "hunter5"), Binding(\Login.nested?.pin, "hunter6"),
            ]
        },
        .reflected("an action with a binding") {
            [
                Bind.binding(.init(\.email, "ann")), .binding(.init(\.password, "hunter2")),
                .set(\Login.email, "ann"), .set(\Login.password, "hunter2"), .set(\Login.alias, "hunter3"),
            ]
        },
        .reflectedPair("field and value") { PlainPair(field: $0, value: $1) },
        .reflectedPair("an enum's values") { PlainForm.changed($0, $1) },
        .reflectedPair("a tuple") { ($0, $1) },
        .reflectedPair("a named tuple") { (name: $0, value: $1) },
        .reflectedPair("an array of tuples") { [("a", "b"), ($0, $1)] },
        .reflectedPair("keys and values") { ["a": "b", $0: $1] as KeyValuePairs },
        .reflectedPair("any value") { AnyPair(key: $0 as Any, value: [$1] as Any) },
        .reflected("an enum's case as the name") {
            [PlainForm.chosen(.email, "ann"), .chosen(.password, "hunter2"), .chosen(.password, "hunter3")]
        },
        .reflected("a text") { [PlainPair(field: "a", value: "token=hunter2"), .init(field: "a", value: "b")] },
    ]

    // MARK: No secrets

    /// JSON that stays as it is.
    static let kept = [
        #"{"key":"tokenCount","value":5}"#, #"{"key":"passwordHint","value":3.5}"#, #"{"name":"Ann","value":3}"#,
        #"{"name":"Ann","value":"x"}"#, #"{"field":"password","value":true}"#, #"{"field":"password","value":null}"#,
        #"{"name":"email","value":"password"}"#, #"{"value":"password"}"#, #"{"name":"password"}"#,
        #"{"name":"password","isSecure":true,"placeholder":"Password"}"#, #"{"key":"shipping","value":"x"}"#,
        #"{"name":"How to choose a password, in five steps","text":"x"}"#,
        #"{"title":"Password","text":"At least eight letters"}"#, #"["password","email"]"#, #"["a",["token","x"]]"#,
        #"{"id":"6F9619FF-8B86-D011-B42D-00CF4FC964FF","text":"pin"}"#, #"{"0":"milk","1":"tea"}"#,
        #"{"url":"https://example.com:8080/tokens?page=1&sort=name#top"}"#, #"{"at":"2026-11-26T20:15:13Z"}"#,
        #"{"text":"Basic plan: 5 users"}"#, #"{"text":"a < b; c = d => e"}"#,
        #"{"mail":"mailto:ann@example.com","url":"https://example.com/@ann"}"#, #"{"json":"{\"a\":[1,2]}"}"#,
        #"{"text":"<p>You are the master of the games. Ot.</p>"}"#, #"{"text":"Two times pi\nn = 5"}"#,
    ]
}
