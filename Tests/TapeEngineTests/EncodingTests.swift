import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import TapeEngine

@Suite("Encodings of files", .timeLimit(.minutes(1))) struct EncodingTests {
    enum Encoding: String, CaseIterable {
        case plain, utf8Mark, utf16Little, utf16Big, unmarkedLittle, unmarkedBig

        func encode(_ text: String) -> [UInt8] {
            let units = Array(text.utf16)
            return switch self {
            case .plain: Array(text.utf8)
            case .utf8Mark: [0xef, 0xbb, 0xbf] + text.utf8
            case .utf16Little: [0xff, 0xfe] + units.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
            case .unmarkedLittle: units.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
            case .unmarkedBig: units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
            case .utf16Big: [0xfe, 0xff] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
            }
        }
    }

    private static let redux = #"""
        {"actionsById":{"0":{"action":{"type":"@@INIT"},"timestamp":1},"1":{"action":{"type":"é 😀"},"timestamp":2}},
        "stagedActionIds":[0,1],"computedStates":[{"state":"日本"},{"state":"😀"}]}
        """#
    private static let tape =
        ([Sample.header().json.text] + [
            #"{"seq":0,"at":0,"event":"init","state":{"text":"é 日本 😀"}}"#,
            #"{"seq":1,"at":1,"event":"action","action":{"type":"ä"},"patch":[]}"#,
        ]).joined(separator: "\n") + "\n"

    /// The lines of a file that is read in pieces of this size.
    private static func lines(_ bytes: [UInt8], by size: Int) throws -> [String] {
        var parser = TapeParser { _ in "redux-sample" }
        var lines: [String] = []
        func take(_ part: TapeParser.Part) {
            switch part {
            case .header(let header): lines.append(header.json.text)
            case .line(let line): lines.append(String(decoding: line.bytes, as: UTF8.self))
            }
        }
        for start in stride(from: 0, to: bytes.count, by: size) {
            try parser.take(Array(bytes[start..<min(start + size, bytes.count)]), take)
        }
        #expect(try !parser.end(take))
        return lines
    }

    @Test("A tape and an export are read in each encoding, in pieces of any size", arguments: Encoding.allCases)
    func table(_ encoding: Encoding) throws {
        for text in [Self.tape, Self.redux] {
            let expected = try Self.lines(Array(text.utf8), by: 1 << 20)
            #expect(expected.count == 3)
            for size in [1, 2, 3, 5, 1 << 20] {
                #expect(try Self.lines(encoding.encode(text), by: size) == expected)
            }
        }
    }

    @Test("A tape's half character is an error that names the line")
    func half() throws {
        let text = Self.tape.replacing("ä", with: "@")
        let units = text.utf16.map { $0 == 0x40 ? 0xd83d : $0 }
        let bytes: [UInt8] = [0xff, 0xfe] + units.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
        let error = #expect(throws: FormatError.self) { try Self.lines(bytes, by: 100) }
        #expect(error?.message == "invalid UTF-8")
    }

    @Test("A file of nothing but a mark is not a tape", arguments: Encoding.allCases)
    func empty(_ encoding: Encoding) {
        #expect(throws: (any Error).self) { try Self.lines(encoding.encode(""), by: 100) }
    }

    @Test(
        "Half characters are replaced by as many bytes, and counted",
        arguments: [
            (#"\ud83d"#, #"\ufffd"#, 1), (#"\uD83D\uDE00"#, #"\uD83D\uDE00"#, 0),
            (#"\ude00\ud83d"#, #"\ufffd\ufffd"#, 2),
            (#"\ud83d\ud83d\ude00"#, #"\ufffd\ud83d\ude00"#, 1), (#"\\ud83d"#, #"\\ud83d"#, 0),
            (#"\ud83"#, #"\ud83"#, 0),
            (#"\ud83d\n"#, #"\ufffd\n"#, 1), ("é\u{fffd}😀", "é\u{fffd}😀", 0), (#"\"#, #"\"#, 0),
        ])
    func replacement(_ text: String, _ expected: String, _ count: Int) {
        var bytes = Array(text.utf8)
        let found = HalfCharacters.replace(in: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == expected && found.count == count)
    }
}
