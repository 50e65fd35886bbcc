import Testing

@testable import TapeFormat

@Suite("JSON")
struct JSONTests {
    @Test(
        "Parsed JSON is written back byte for byte",
        arguments: [
            "null", "true", "[]", "{}", "[1,2.50,-0,1e3,1E+03,9007199254740993]", #"{"b":1,"a":{"c":[null]}}"#,
            #""\u0001\b\t\n\f\r\"\\/é👩‍👩‍👧""#,
        ])
    func roundTrip(_ text: String) throws {
        let json = try JSON(parsing: text)
        #expect(json.text == text)
        // Pieces, of any size, are the same text.
        for size in [1, 2, 7, 1_000] {
            var pieces: [[UInt8]] = []
            json.write(inPiecesOf: size) { pieces.append($0) }
            #expect(pieces.flatMap(\.self) == Array(text.utf8))
            #expect(!pieces.contains([]))
        }
    }

    @Test("A large text is written in pieces of about the size asked for")
    func pieces() {
        let row: JSON = ["id": 1, "texts": ["a", "b"]]
        let json: JSON = ["rows": .array(Array(repeating: row, count: 10_000)), "n": 1]
        var sizes: [Int] = []
        json.write(inPiecesOf: 4_096) { sizes.append($0.count) }
        #expect(sizes.dropLast().allSatisfy { 4_096..<4_096 + row.bytes.count ~= $0 })
        #expect(sizes.reduce(0, +) == json.bytes.count)
    }

    @Test("Only JSON's white space is allowed between tokens")
    func whiteSpace() throws {
        #expect(try JSON(parsing: " [ 1 ,\t{ \"a\" :\r\n2 } ] ") == [1, ["a": 2]])
        #expect(throws: FormatError.self) { try JSON(parsing: "[\u{a0}1]") }
    }

    @Test("Parsing and validating invalid text fail with the position")
    func hostile() throws {
        for entry in try #require(try Golden.json("hostile.json").array) {
            let text = try #require(entry["text"]?.string)
            let expected = FormatError(try #require(entry["error"]?.string), at: try #require(entry["at"]?.int))
            #expect(throws: expected) { try JSON(parsing: text) }
            let line = Array(#"{"seq":0,"at":0,"event":"sparkle","x":"#.utf8) + Array(text.utf8) + Array("}".utf8)
            #expect(throws: FormatError.self, "\(text)") { try EventLine(parsing: line) }
        }
    }

    @Test(
        "Invalid UTF-8 is an error at its first byte",
        arguments: [
            [0x80], [0xc0, 0x80], [0xc3], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80], [0xf0, 0x80, 0x80, 0x80],
            [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xff], [0xe2, 0x82],
        ] as [[UInt8]])
    func invalidUTF8(_ bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        #expect(throws: FormatError("invalid UTF-8", at: 2)) {
            try JSON(parsing: [quote, UInt8(ascii: "a")] + bytes + [quote])
        }
    }

    @Test("Nesting up to the limit is parsed, one level more is an error")
    func nesting() throws {
        let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect(try JSON(parsing: deep).array?.count == 1)
        #expect(throws: FormatError("nesting deeper than 512", at: 512)) { try JSON(parsing: "[" + deep + "]") }
    }

    @Test("Nesting beyond the thread's stack is an error, even below the limit")
    func smallStack() throws {
        func read(_ depth: Int, _ body: (inout Reader) throws(FormatError) -> Void) throws(FormatError) {
            let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            try Reader.whole(Array(text.utf8), stack: ThreadStack(bytes: 66 << 10), body)
        }
        let isTooDeep = { (error: any Error) in "\(error)".contains("nesting deeper than this thread can read") }
        #expect(
            performing: { try read(512) { (reader) throws(FormatError) in _ = try reader.value() } }, throws: isTooDeep)
        #expect(performing: { try read(512) { (reader) throws(FormatError) in try reader.skip() } }, throws: isTooDeep)
        try read(16) { (reader) throws(FormatError) in _ = try reader.value() }
    }

    @Test("Duplicate keys are found in nested objects with any number of keys")
    func nestedKeys() throws {
        func text(_ outer: Int, _ inner: [String], _ last: String) -> String {
            let members = (0..<outer).map { #""k\#($0)":{"k\#($0)":0}"# }
            let nested = inner.map { #""\#($0)":[{"k0":1,"k1":2}]"# }.joined(separator: ",")
            return "{" + (members + ["\"in\":{\(nested)}", "\"\(last)\":0"]).joined(separator: ",") + "}"
        }
        let many = (0..<15).map { "k\($0)" }
        for outer in [1, 14, 30, 31, 32, 33, 40] {
            #expect(try JSON(parsing: text(outer, many, "last")).object?.count == outer + 2)
            #expect(throws: FormatError.self) { try JSON(parsing: text(outer, many + ["k14"], "last")) }
            #expect(throws: FormatError.self) { try JSON(parsing: text(outer, many + ["k0"], "last")) }
            #expect(throws: FormatError.self) { try JSON(parsing: text(outer, many, "k0")) }
            #expect(throws: FormatError.self) { try JSON(parsing: text(outer, many, "in")) }
        }
    }

    @Test("Duplicate keys are found among many")
    func manyKeys() throws {
        let members = (0..<100).map { #""k\#($0)":\#($0)"# }
        #expect(try JSON(parsing: "{" + members.joined(separator: ",") + "}").object?.count == 100)
        #expect(throws: FormatError.self) {
            try JSON(parsing: "{" + (members + [#""\u006b7":0"#]).joined(separator: ",") + "}")
        }
    }

    @Test("Any mutated text is parsed, or fails with a position inside it")
    func mutations() throws {
        var random = SeededRandom(seed: 7)
        let source = try Golden.bytes("session.tape")
        for line in source.split(separator: UInt8(ascii: "\n")) {
            for _ in 0..<500 {
                var bytes = Array(line)
                for _ in 0...Int.random(in: 0..<3, using: &random) {
                    let index = Int.random(in: bytes.indices, using: &random)
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                    case 1: bytes.remove(at: index)
                    default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
                    }
                }
                let read = Result { try JSON(parsing: bytes) }
                if case .success(let json) = read { #expect(try JSON(parsing: json.bytes) == json) }
                if case .failure(let error as FormatError) = read { #expect(0...bytes.count ~= (error.offset ?? -1)) }
                _ = try? AppLine(parsing: bytes)
            }
        }
    }

    @Test("Invalid characters are found at each position of a string, and valid ones are accepted")
    func everyPlace() throws {
        for place in 0..<20 {
            for (byte, isAllowed) in [
                (0x00, false), (0x1f, false), (0x20, true), (0x7f, true), (0x80, false), (0xff, false),
            ] {
                var bytes = Array("\"\(String(repeating: "x", count: 20))\"".utf8)
                bytes[place + 1] = UInt8(byte)
                #expect(((try? JSON(parsing: bytes)) != nil) == isAllowed, "\(byte) at \(place)")
            }
            var text =
                String(repeating: "x", count: place) + "\"\\é\u{1f600}" + String(repeating: "y", count: 20 - place)
            #expect(try JSON(parsing: JSON.string(text).bytes).string == text)
            text = String(text.prefix(place))
            #expect(try JSON(parsing: JSON.string(text).bytes).string == text)
        }
    }
}

/// A seeded random number generator (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
