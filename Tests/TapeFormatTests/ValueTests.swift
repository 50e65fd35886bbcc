import TapeFormat
import Testing

@Suite("JSON values")
struct ValueTests {
    @Test(
        "Numbers are equal by exact decimal value",
        arguments: [
            ("1", "1.0"), ("100", "1e2"), ("0.001", "1E-3"), ("-0", "-0.0"), ("120e-1", "12"), ("0", "0e5"),
            ("12345678901234567890.5", "1234567890123456789050e-2"),
        ])
    func equalNumbers(_ left: String, _ right: String) throws {
        let left = try #require(JSON.Number(left))
        let right = try #require(JSON.Number(right))
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
    }

    @Test(
        "Numbers that are equal as Double may differ",
        arguments: [
            ("9007199254740993", "9007199254740992"), ("0", "-0"), ("0.1", "0.10000000000000001"), ("1e308", "1e309"),
        ])
    func differentNumbers(_ left: String, _ right: String) throws {
        #expect(try #require(JSON.Number(left)) != #require(JSON.Number(right)))
    }

    @Test("Only an exact integer converts to Int")
    func integers() throws {
        func int(_ text: String) throws -> Int? { try #require(JSON.Number(text)).int }
        #expect(try int("9223372036854775807") == .max)
        #expect(try int("9223372036854775808") == nil)
        #expect(try int("-9223372036854775808") == .min)
        #expect(try int("1.20e1") == 12)
        #expect(try int("1e3") == 1_000)
        #expect(try int("0.0") == 0)
        #expect(try int("-0") == nil)
        #expect(try int("1.5") == nil)
        #expect(try int("1e400") == nil)
    }

    @Test(
        "Only JSON's notation makes a number", arguments: ["", " 1", "1 ", "0x1", "1_000", "Infinity", "--1", "\"1\""])
    func noNumbers(_ text: String) {
        #expect(JSON.Number(text) == nil)
    }

    @Test("A Double becomes the shortest text that parses to the same value")
    func doubles() {
        #expect(JSON.Number(1.0)?.text == "1")
        #expect(JSON.Number(0.1)?.text == "0.1")
        #expect(JSON.Number(-0.0)?.text == "-0.0")
        #expect(JSON.Number(1e300)?.double == 1e300)
        #expect(JSON.Number(Double.nan) == nil)
        #expect(JSON.Number(Double.infinity) == nil)
    }

    @Test("Strings and keys compare by their bytes, unlike Swift's own comparison")
    func strings() {
        #expect("\u{e9}" == "e\u{301}")
        #expect(JSON.string("\u{e9}") != JSON.string("e\u{301}"))
        #expect(JSON.string("a\u{301}\u{323}") != JSON.string("a\u{323}\u{301}"))
        #expect(JSON.object(.init([("\u{e9}", 1)])) != JSON.object(.init([("e\u{301}", 1)])))
        #expect(JSON.object(.init([("\u{e9}", 1), ("e\u{301}", 2)])).object?.count == 2)
    }

    @Test("Equality ignores the order of members, which is preserved")
    func order() throws {
        let one = try JSON(parsing: #"{"a":1,"b":2}"#)
        let other = try JSON(parsing: #"{"b":2.0,"a":1}"#)
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(other.text == #"{"b":2.0,"a":1}"#)
        #expect(one != ["a": 1, "c": 2])
    }

    @Test("Members are set, replaced and removed")
    func members() {
        var object = JSON.Object([("a", 1), ("b", 2)])
        object["a"] = 3
        object["c"] = nil
        object["b"] = nil
        object["d"] = [4]
        #expect(JSON.object(object).text == #"{"a":3,"d":[4]}"#)
    }

    @Test("Pointers are parsed and written according to RFC 6901")
    func pointers() throws {
        let json = try JSON(parsing: #"{"a/b":[{"m~n":1}],"":2,"é":3}"#)
        #expect(json[try Pointer(parsing: "/a~1b/0/m~0n")] == 1)
        #expect(json[try Pointer(parsing: "/")] == 2)
        #expect(json[try Pointer(parsing: "/e\u{301}")] == nil)
        #expect(json[try Pointer(parsing: "")] == json)
        #expect(json[try Pointer(parsing: "/a~1b/00")] == nil)
        #expect(json[try Pointer(parsing: "/a~1b/1")] == nil)
        #expect(Pointer(["a/b", "m~n", ""]).description == "/a~1b/m~0n/")
        #expect(throws: FormatError.self) { try Pointer(parsing: "a") }
        #expect(throws: FormatError.self) { try Pointer(parsing: "/~2") }
        #expect(throws: FormatError.self) { try Pointer(parsing: "/~") }
    }
}
