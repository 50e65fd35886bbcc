import TapeFormat
import Testing

@testable import StateTapeServer

@Suite struct MessageSlicesTests {
    private func slices(_ message: [UInt8]) -> [[[UInt8]]] {
        var slices = MessageSlices(message)
        var all: [[[UInt8]]] = []
        repeat { all.append(slices.next()) } while !slices.isEmpty
        return all
    }

    @Test("A short message is one slice, a long one several, cut between lines, and nothing is lost")
    func cut() {
        #expect(slices([]) == [[]])
        #expect(slices(Array("a\nb".utf8)) == [[[97], [98]]])
        let line = [UInt8](repeating: 120, count: 99_999) + [10]
        let message = (0..<30).flatMap { _ in line }
        let pieces = slices(message)
        #expect(pieces.count == 15 && pieces.allSatisfy { $0.count == 2 })
        #expect(pieces.flatMap { $0 } == message.lines)
        let long = [UInt8](repeating: 120, count: 3 << 20)
        #expect(slices(long) == [[long]])
        #expect(slices(long + [10] + long) == [[long], [long]])
        #expect(slices([UInt8](repeating: 10, count: 2 << 20)).allSatisfy { $0.isEmpty })
    }
}
