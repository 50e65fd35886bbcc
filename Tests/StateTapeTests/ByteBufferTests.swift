import Testing

@testable import StateCapture
@testable import StateTape
@testable import TapeFormat

struct ByteBufferTests {
    private func text(_ write: (ByteBuffer) -> Void) -> String {
        let buffer = ByteBuffer(capacity: 0)
        write(buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    @Test("Bytes are appended, replaced, inserted and dropped")
    func editing() {
        let long = String(repeating: "abc", count: 100)
        let result = text { buffer in
            buffer.append(utf8: long)
            buffer.append("[]")
            buffer.append(UInt8(ascii: "!"))
            let other = ByteBuffer()
            other.append("other")
            buffer.insert(other, at: 301)
            buffer.replace(0..<300, with: other)
            other.truncate(to: 0)
            buffer.replace(5..<6, with: other)
            buffer.append(other)
        }
        #expect(result == "otherother]!")
    }

    @Test("Bytes from a position on are copied")
    func copying() {
        let buffer = ByteBuffer()
        buffer.append("abc")
        #expect(buffer.array(from: 1) == Array("bc".utf8))
        #expect(buffer.withBytes(0..<2) { Array($0) } == Array("ab".utf8))
        buffer.truncate(to: 9)
        #expect(buffer.count == 3)
    }

    @Test("Strings are escaped as by the tape's own writer, at every position")
    func strings() {
        for scalar in (0...0xff).map(UInt8.init).map(Unicode.Scalar.init) {
            for before in 0...17 {
                let string = String(repeating: "x", count: before) + "\(scalar)\(scalar)" + "é🙂 and more than a word"
                #expect(text { $0.append(quoted: string) } == JSON.string(string).text)
            }
        }
        #expect(text { $0.append(quoted: "") } == "\"\"")
    }

    @Test(
        "Integers are written in decimal",
        arguments: [0, 1, -1, 9, 10, 99, 100, -100, 1 << 53, .max, .min])
    func integers(number: Int) {
        #expect(text { $0.append(number: number) } == "\(number)")
        #expect(text { $0.append(number: UInt8(truncatingIfNeeded: number)) } == "\(UInt8(truncatingIfNeeded: number))")
        #expect(text { $0.append(number: UInt(bitPattern: number)) } == "\(UInt(bitPattern: number))")
    }

    @Test("Integers of 128 bits are written in decimal")
    func wideIntegers() {
        guard #available(macOS 15, iOS 18, *) else { return }
        for number in [Int128.min, .max, -1, 1 << 64] {
            #expect(text { $0.append(number: number) } == "\(number)")
        }
    }

    @Test(
        "Numbers are written as the shortest text, whole ones without a fraction",
        arguments: [
            (0, "0"), (-0.0, "-0"), (1, "1"), (-5, "-5"), (0.1, "0.1"), (800_000_000, "800000000"),
            (0x1p53, "9007199254740992"), (0x1p53 - 1, "9007199254740991"), (1e22, "1e+22"), (-1e-7, "-1e-07"),
            (.pi, "3.141592653589793"), (.leastNonzeroMagnitude, "5e-324"),
            (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
        ] as [(Double, String)])
    func doubles(number: Double, expected: String) {
        #expect(text { $0.append(number: number) } == expected)
    }

    @Test(
        "Single numbers are written as the shortest text that gives the single back",
        arguments: [
            (-0.0, "-0"), (0.1, "0.1"), (3, "3"), (16_777_216, "16777216"), (1e30, "1e+30"),
        ] as [(Float, String)])
    func floats(number: Float, expected: String) {
        #expect(text { $0.append(number: number) } == expected)
    }
}
