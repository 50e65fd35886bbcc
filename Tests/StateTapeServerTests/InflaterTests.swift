import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTape
@testable import StateTapeServer
@testable import TapeUplink

@Suite("Compressed messages") struct InflaterTests {
    private static let limit = 1 << 20

    /// Repetitive text like event lines, or random bytes.
    private func message(_ chance: inout Chance) -> [UInt8] {
        let length = 1 + chance.below(chance.once(in: 10) ? 200_000 : 600)
        if chance.once(in: 4) { return (0..<length).map { _ in UInt8(truncatingIfNeeded: chance.next()) } }
        let line = Array(Sample.count(chance.below(100_000), to: 7).bytes) + [10]
        return Array(repeating: line, count: length / line.count + 1).flatMap { $0 }
    }

    private func failure(_ inflater: Inflater, _ message: [UInt8], limit: Int = Self.limit) -> Inflater.Failure? {
        do throws(Inflater.Failure) {
            _ = try inflater.message(message, limit: limit)
            return nil
        } catch {
            return error
        }
    }

    private func isBroken(_ failure: Inflater.Failure?) -> Bool {
        if case .broken = failure { true } else { false }
    }

    @Test("Compressed messages are decompressed correctly, one after the other", arguments: 1...20)
    func roundTrip(seed: UInt64) throws {
        var chance = Chance(seed)
        let (deflater, inflater) = (Deflater(), Inflater())
        for _ in 0..<30 {
            let message = message(&chance)
            let compressed = deflater.compressed(message)
            #expect(compressed.first == 0)
            #expect(try inflater.message(compressed, limit: message.count) == message)
        }
    }

    @Test("A keystroke takes at most 60 bytes, even alone in its message")
    func keystroke() {
        let (deflater, place) = (Deflater(), 9_000)
        let bytes = (0..<2_000).reduce(0) { bytes, seq in
            let letter = String(UnicodeScalar(UInt8(97 + seq * seq % 26)))
            let line = """
                {"seq":\(seq),"at":\(seq * 137).\(100 + seq * 31 % 900),"event":"action","action":{"type":"insert",\
                "payload":{"at":\(place + seq),"text":"\(letter)"}},"patch":[{"op":"splice","path":"/document/text",\
                "at":\(place + seq),"remove":0,"insert":"\(letter)"},{"op":"replace","path":"/cursor",\
                "value":\(place + seq + 1)},{"op":"replace","path":"/revision","value":\(seq)}],"took":0.003}
                """
            return bytes + deflater.compressed(Array(line.utf8)).count
        }
        #expect(bytes / 2_000 <= 60)
    }

    @Test("A message that would decompress to more than the limit is refused early")
    func bomb() {
        let bomb = Deflater().compressed([UInt8](repeating: 32, count: 40 << 20))
        #expect(bomb.count < 200_000)
        guard case .tooBig = failure(Inflater(), bomb) else { return #expect(Bool(false)) }
        let exact = Deflater().compressed([UInt8](repeating: 32, count: Self.limit))
        #expect(failure(Inflater(), exact) == nil)
        guard case .tooBig = failure(Inflater(), exact, limit: Self.limit - 1) else { return #expect(Bool(false)) }
    }

    @Test("A stream that ends, starts in the middle or breaks off is refused, and stays refused")
    func broken() {
        let deflater = Deflater()
        let messages = (0..<3).map { deflater.compressed(Sample.count($0, to: $0).bytes) }
        let ended = Inflater()
        // An empty last block.
        #expect(isBroken(failure(ended, [0, 0x03, 0x00])))
        #expect(isBroken(failure(ended, messages[0])))
        // Refers to data that was never sent.
        #expect(isBroken(failure(Inflater(), messages[2])))
        #expect(isBroken(failure(Inflater(), messages[0].dropLast(3))))
        #expect(isBroken(failure(Inflater(), [0])))
        // An empty flush of another stream.
        #expect(failure(Inflater(), [0, 0]) == nil)
    }

    @Test("Invalid streams do no harm and leak nothing")
    func mutated() throws {
        var chance = Chance(4)
        func round() {
            let (deflater, inflater) = (Deflater(), Inflater())
            for _ in 0..<6 {
                var bytes = deflater.compressed(message(&chance))
                for _ in 0..<chance.below(4) {
                    let place = 1 + chance.below(max(1, bytes.count - 1))
                    switch chance.below(4) {
                    case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(chance.below(8))
                    case 1: bytes.removeSubrange(min(place, bytes.count)...)
                    case 2: bytes.insert(UInt8(truncatingIfNeeded: chance.next()), at: min(place, bytes.count))
                    default: bytes += (0..<20).map { _ in UInt8(truncatingIfNeeded: chance.next()) }
                    }
                }
                if let output = try? inflater.message(bytes, limit: Self.limit) {
                    #expect(output.count <= Self.limit)
                }
            }
        }
        for _ in 0..<300 { round() }
        let before = try resident()
        for _ in 0..<1_500 { round() }
        // Each stream takes 11 KB, so a leak of all of them would show as 16 MB.
        #expect(try resident() - before < 8 << 20)
    }

    /// The memory of the process in bytes.
    private func resident() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return (Int(text.split(separator: " ")[1]) ?? 0) * 4_096
    }
}
