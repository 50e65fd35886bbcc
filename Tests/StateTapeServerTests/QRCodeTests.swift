import Testing

@testable import StateTapeServer

@Suite struct QRCodeTests {
    @Test("A short text gets the smallest code, with its three corner marks")
    func corners() throws {
        let code = try QRCode("HELLO")
        #expect(code.width == 21 && code.modules.count == 21 * 21)
        let mark = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
        for (x, y) in [(0, 0), (14, 0), (0, 14)] {
            let found = (0..<7).map { row in
                String((0..<7).map { code.modules[(y + row) * 21 + x + $0] ? "1" : "0" })
            }
            #expect(found == mark)
        }
    }

    @Test("The image has each dark module and nothing else")
    func image() throws {
        let code = try QRCode("http://192.168.1.7:8080/#token=0123456789abcdef")
        var drawn = [Bool](repeating: false, count: code.modules.count)
        let path = try #require(code.svg.split(separator: "<path d=\"").last)
        for run in path.matches(of: /M(\d+) (\d+)h(\d+)v1H(\d+)z/) {
            let (x, y, width) = (Int(run.1) ?? 0, Int(run.2) ?? 0, Int(run.3) ?? 0)
            for column in x..<x + width { drawn[(y - 4) * code.width + column - 4] = true }
        }
        #expect(drawn == code.modules)
        #expect(code.svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(code.width + 8) "))
    }

    @Test("A text that is too long for a code is refused")
    func tooLong() {
        #expect(throws: Problem.self) { try QRCode(String(repeating: "a", count: 3_000)) }
    }
}
