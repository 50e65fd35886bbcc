import TapeFormat
import Testing

/// Tables of cases for each section of RFC 8259, 6901 and 6902. The page's tests use the same tables.
@Suite("Cases")
struct CasesTests {
    @Test("JSON is parsed according to RFC 8259, within the limits of the format")
    func json() throws {
        for entry in try #require(try Golden.json("json-cases.json").array) {
            let bytes = try #require(Self.bytes(entry))
            let isAccepted = entry["verdict"]?.string == "accept"
            let name: Comment =
                "\(entry["section"]?.string ?? ""): \(String(decoding: bytes.prefix(80), as: UTF8.self))"
            do {
                let json = try JSON(parsing: bytes)
                #expect(isAccepted, name)
                #expect(try JSON(parsing: json.bytes) == json, name)
                #expect(try JSON(parsing: json.bytes).hasSameText(as: json), name)
            } catch {
                #expect(!isAccepted && 0...bytes.count ~= error.offset ?? -1, name)
            }
            // Validating a line's members follows the same rules.
            let line = Array(#"{"seq":0,"at":0,"event":"sparkle","x":"#.utf8) + bytes + Array("}".utf8)
            let isNested = entry["section"]?.string == "9 nesting"
            if !isNested { #expect(((try? EventLine(parsing: line)) != nil) == isAccepted, name) }
        }
    }

    @Test("Pointers and patches are parsed and applied according to RFC 6901 and 6902")
    func patches() throws {
        for entry in try #require(try Golden.json("patch-cases.json").array) {
            let name: Comment = "\(entry["section"]?.string ?? ""): \(entry["name"]?.string ?? "")"
            let before = try #require(entry["before"])
            let json = try #require(entry["patch"])
            guard entry["invalid"] == nil else {
                #expect(throws: FormatError.self, name) { try Patch(json) }
                continue
            }
            let patch = try Patch(json)
            var value = before
            if let path = entry["fails"]?.string {
                let failure = #expect(throws: Patch.Failure.self, name) { try patch.apply(to: &value) }
                #expect(failure?.path == path, name)
                #expect(value == before, name)
            } else {
                try patch.apply(to: &value)
                #expect(value == entry["after"], name)
            }
        }
    }

    /// The input of a case: its `text`, its `hex`, or its `repeat`, which has parts with counts.
    private static func bytes(_ entry: JSON) -> [UInt8]? {
        if let text = entry["text"]?.string { return Array(text.utf8) }
        if let parts = entry["repeat"]?.array {
            return parts.flatMap { part in
                Array(repeating: Array((part[0]?.string ?? "").utf8), count: part[1]?.int ?? 0).flatMap { $0 }
            }
        }
        guard let digits = entry["hex"]?.string.map({ Array($0) }), digits.count % 2 == 0 else { return nil }
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }
}
