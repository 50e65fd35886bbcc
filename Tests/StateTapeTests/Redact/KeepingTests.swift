import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

@Suite("The app's values in the place of redacted ones")
struct KeepingTests {
    private func keep(_ pushed: String, _ current: String?) throws -> JSON {
        try JSON(parsing: pushed).keeping(current.map { try JSON(parsing: $0) })
    }

    private func place(_ pushed: String, _ current: String?) throws -> String? {
        do throws(Pushed.Failure) {
            let current = try? current.map { try JSON(parsing: $0) }
            _ = try (try? JSON(parsing: pushed))?.keeping(current)
            return nil
        } catch {
            return error.code == .redacted ? error.path : "\(error)"
        }
    }

    private let marker = #"{"$redacted":true}"#

    @Test("Members and dictionary entries match by name")
    func members() throws {
        let kept = try keep(
            #"{"a":{"pin":\#(marker),"x":1},"b":2}"#, #"{"c":0,"a":{"x":5,"pin":{"$$redacted":[1]}}}"#)
        #expect(kept == ["a": ["pin": ["$$redacted": [1]], "x": 1], "b": 2])
        #expect(try keep(marker, "[1]") == [1])
        #expect(try keep(#"{"$$redacted":true}"#, nil) == ["$$redacted": true])
    }

    @Test("Elements match by id at any index, and never by index")
    func elements() throws {
        let current = #"{"l":[{"id":1,"pin":"one"},{"id":"2","pin":"two"},{"_id":3,"pin":"three"}]}"#
        let kept = try keep(
            #"{"l":[{"_id":3,"pin":\#(marker)},{"id":9,"x":1},{"id":1.0,"pin":\#(marker)}]}"#, current)
        #expect(
            kept == [
                "l": [["_id": 3, "pin": "three"], ["id": 9, "x": 1], ["id": 1, "pin": "one"]]
            ])
        #expect(try place(#"{"l":[{"id":9,"pin":\#(marker)}]}"#, current) == "/l/0/pin")
        #expect(try place(#"{"l":[{"id":2,"pin":\#(marker)}]}"#, current) == "/l/0/pin")
        #expect(try place(#"[{"pin":\#(marker)}]"#, #"[{"pin":"one"}]"#) == "/0/pin")
        #expect(try place(#"[{"id":1,"pin":\#(marker)}]"#, #"[{"id":1,"pin":"a"},{"id":1,"pin":"b"}]"#) == "/0/pin")
        #expect(try place("[\(marker)]", "[1]") == "/0")
    }

    @Test("In arrays of alternating keys and values, values match by key")
    func pairs() throws {
        let kept = try keep(#"["b",\#(marker),"a",{"pin":\#(marker)}]"#, #"["a",{"pin":1},"b",2,"c",3]"#)
        #expect(kept == ["b", 2, "a", ["pin": 1]])
        #expect(try place(#"["d",\#(marker)]"#, #"["a",1]"#) == "/1")
        #expect(try place(#"["a",\#(marker)]"#, #"["a",1,"a",2]"#) == "/1")
    }

    @Test("A key that is an object matches without its own secrets, and so does its value")
    func objects() throws {
        let current =
            #"[{"email":{}},"ann",{"password":{}},"x",{"of":{"account":1,"_1":{"password":{}}}},{"password":1}]"#
        let kept = try keep(
            #"""
            [{"of":{"account":1,"_1":{"password":\#(marker)}}},\#(marker),{"password":\#(marker)},\#(marker),
             {"email":{}},"bob"]
            """#, current)
        #expect(
            kept == [
                ["of": ["account": 1, "_1": ["password": [:]]]], ["password": 1], ["password": [:]], "x",
                ["email": [:]], "bob",
            ])
        #expect(try place(#"[{"token":\#(marker)},\#(marker)]"#, #"[{"token":1},"a",{"token":2},"b"]"#) == "/0/token")
        // Elements of an ordinary array.
        #expect(try place(#"[{"pin":\#(marker)},{"x":1}]"#, #"[{"pin":1},{"x":1}]"#) == "/0/pin")
        #expect(try place(#"[\#(marker),\#(marker)]"#, #"[{"a":1},{"b":2}]"#) == "/0")
    }

    @Test("A place for which the app has no value is reported")
    func missing() throws {
        #expect(try place(#"{"a":{"pin":\#(marker)}}"#, #"{"a":{}}"#) == "/a/pin")
        #expect(try place(#"{"a/b":\#(marker)}"#, "[]") == "/a~1b")
        #expect(try place(#"{"a":\#(marker)}"#, nil) == "/a")
        #expect(try place(#"{"a":{"$redacted":false}}"#, nil) == nil)
    }
}
