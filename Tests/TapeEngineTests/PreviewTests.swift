import TapeFormat
import Testing

@testable import TapeEngine

@Suite(.timeLimit(.minutes(1))) struct PreviewTests {
    private func payload(_ json: String) throws -> String? {
        try Preview(
            EventLine(
                parsing: Array(
                    #"{"seq":3,"at":1,"event":"action","action":{"type":"a","payload":\#(json)},"patch":[]}"#.utf8))
        ).payload
    }

    private func preview(_ patch: String) throws -> Preview {
        try Preview(
            EventLine(
                parsing: Array(
                    #"{"seq":3,"at":1,"event":"action","action":{"type":"a"},"patch":\#(patch)}"#.utf8)))
    }

    private func changes(_ patch: String) throws -> [String] {
        try preview(patch).changes.map { "\($0.path) \($0.value)" }
    }

    @Test(
        "A payload's most telling value is shown",
        arguments: [
            (#""Milk""#, #""Milk""#), ("7", "7"), ("1.50", "1.50"),
            ("12345678901234567890.10", "12345678901234567890.10"),
            ("true", "true"), ("null", "null"), ("[]", "[]"), ("[3]", "[3]"), ("[3,4,5]", "[3, +2]"), ("{}", nil),
            (#"{"n":1,"title":"Milk"}"#, #""Milk""#), (#"{"n":1,"done":true}"#, "n: 1"),
            (#"{"id":"t8","name":"Ana"}"#, #""Ana""#), (#"{"title":{"a":1},"id":4}"#, "4"),
            (#"{"_0":"Milk"}"#, #""Milk""#), (#"{"_0":{"_0":{"title":"Oats"}}}"#, #""Oats""#),
            (#"{"_0":"Milk","_1":2}"#, #""Milk""#), (#"{"at":null,"n":2}"#, "n: 2"), (#"{"at":null}"#, "at: null"),
            (#"{"todo":{"id":3,"title":"Milk"}}"#, #""Milk""#), (#"{"todo":{"_0":{"title":"Milk"}}}"#, #""Milk""#),
            (#"{"list":"inbox","todo":{"title":"Milk"}}"#, #""Milk""#),
            (#"{"id":7,"todo":{"name":"Ana"},"by":{"title":"Dr"}}"#, #""Ana""#),
            (#"{"list":"inbox","todo":{"id":3}}"#, #"list: "inbox""#), (#"{"todo":{"id":3}}"#, "todo: {id: 3}"),
            (#"{"2":"two","1":"one"}"#, nil), (#"{"2":"two","b":"B","a":"A"}"#, #"b: "B""#),
        ] as [(String, String?)])
    func payloads(json: String, text: String?) throws {
        #expect(try payload(json) == text)
    }

    @Test("A value that could not be encoded is shown as such, and only if there is nothing else")
    func unencodable() throws {
        #expect(try payload(#"{"$unencodable":"Amount: overflow"}"#) == "not encodable")
        #expect(try payload(#"{"total":{"$unencodable":"Amount: overflow"}}"#) == "total: not encodable")
        #expect(try payload(#"{"total":{"$unencodable":"Amount: overflow"},"user":"ana"}"#) == #"user: "ana""#)
        #expect(try payload(#"{"$$unencodable":"x"}"#) == #"$$unencodable: "x""#)
    }

    @Test("A redacted value is shown as secret, and only if there is nothing else")
    func redacted() throws {
        #expect(try payload(#"{"$redacted":true}"#) == "secret")
        #expect(try payload(#"{"password":{"$redacted":true}}"#) == "password: secret")
        #expect(try payload(#"{"password":{"$redacted":true},"user":"ana"}"#) == #"user: "ana""#)
        #expect(
            try changes(#"[{"op":"replace","path":"/token","value":{"$redacted":true}}]"#) == ["/token = secret"])
    }

    @Test("Each operation is shown with its new value")
    func operations() throws {
        #expect(
            try changes(
                #"[{"op":"replace","path":"/a","value":1.0},{"op":"add","path":"/b","value":{"title":"Milk","n":1}}]"#)
                == ["/a = 1.0", #"/b + {title: "Milk", …}"#])
        #expect(
            try changes(
                """
                [{"op":"remove","path":"/a/2"},{"op":"move","from":"/a","path":"/b"},{"op":"copy","from":"/a","path":"/c"}]
                """) == ["/a/2 −", "/b moved", "/c copied"])
        #expect(
            try changes(
                """
                [{"op":"splice","path":"/t","at":1,"remove":0,"insert":"oat"},\
                {"op":"splice","path":"/u","at":1,"remove":3,"insert":""},{"op":"test","path":"/v","value":1}]
                """) == [#"/t … "oat" …"#, "/u shortened"])
        #expect(
            try changes(#"[{"op":"add","path":"/a","value":[]},{"op":"add","path":"/b","value":[[[[1]]],2]}]"#)
                == ["/a + []", "/b + [[[…]], +1]"])
        #expect(try changes(#"[{"op":"odd","path":"/a"},{"op":"add"},3,{"op":"add","path":"/b"}]"#) == ["/b + …"])
    }

    @Test("What the user acted on comes before histories, in the order of the patch")
    func order() throws {
        let patch = """
            [{"op":"add","path":"/history/0","value":{}},{"op":"replace","path":"/app/undo/top","value":1},\
            {"op":"replace","path":"/todos/3/done","value":true},{"op":"replace","path":"/n","value":42},\
            {"op":"replace","path":"/historyless","value":0}]
            """
        #expect(try changes(patch) == ["/todos/3/done = true", "/n = 42", "/historyless = 0"])
        #expect(
            try preview(patch).json.text
                == #"{"seq":3,"changes":[{"path":"/todos/3/done","value":"= true"},{"path":"/n","value":"= 42"},"#
                + #"{"path":"/historyless","value":"= 0"}],"more":2}"#)
        #expect(try changes(#"[{"op":"add","path":"/history/0","value":1}]"#) == ["/history/0 + 1"])
        #expect(try preview("[]").json.text == #"{"seq":3}"#)
    }

    @Test("A text is cut between Unicode scalars and stays in one line")
    func clipping() throws {
        #expect(try payload(#""two\nli\tnes\u0000\u007f""#) == #""two li nes  ""#)
        let exact = String(repeating: "😀", count: 60)
        #expect(try payload("\"\(exact)\"") == "\"\(exact)\"")
        #expect(try payload("\"\(exact)x\"") == "\"\(exact)…\"")
        let digits = String(repeating: "1", count: 200)
        #expect(try payload(digits) == String(repeating: "1", count: 60) + "…")
        let key = String(repeating: "k", count: 300)
        #expect(try payload(#"{"\#(key)":1}"#) == String(repeating: "k", count: 60) + "…: 1")
        let path = try changes(#"[{"op":"remove","path":"/\#(key)"}]"#)
        #expect(path == ["/" + String(repeating: "k", count: 199) + "… −"])
    }

    @Test("A deep value is shown as far as two levels")
    func deep() throws {
        let deep = String(repeating: #"{"a":["#, count: 200) + String(repeating: "]}", count: 200)
        #expect(try payload(deep) == "a: [{a: […]}]")
        let unnamed = String(repeating: #"{"_0":"#, count: 300) + "1" + String(repeating: "}", count: 300)
        #expect(try payload(unnamed) == "1")
        #expect(try changes(#"[{"op":"add","path":"/a","value":\#(deep)}]"#) == ["/a + {a: [{…}]}"])
    }

    @Test("An action or a patch over 64 KiB is not parsed")
    func huge() throws {
        let text = String(repeating: "x", count: 64 << 10)
        #expect(try payload("\"\(text)\"") == nil)
        #expect(try payload("\"\(text.dropLast(100))\"")?.hasSuffix("x…\"") == true)
        #expect(try changes(#"[{"op":"add","path":"/a","value":"\#(text)"}]"#) == [])
        let members = (0..<100).map { #""k\#($0)":null"# }.joined(separator: ",")
        #expect(try payload(#"{\#(members),"title":"late"}"#) == "k0: null")
    }

    @Test("Events without an action or a patch have no values")
    func others() throws {
        for line in [
            #"{"seq":3,"at":1,"event":"init","state":{"title":"Milk"}}"#,
            #"{"seq":3,"at":1,"event":"note","text":"hello","level":"error"}"#,
            #"{"seq":3,"at":1,"event":"gap","count":2,"reason":"overflow"}"#,
        ] {
            #expect(try Preview(EventLine(parsing: Array(line.utf8))).json.text == #"{"seq":3}"#)
        }
    }
}
