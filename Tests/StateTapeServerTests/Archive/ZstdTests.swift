import Testing

@testable import StateTapeServer
@testable import TapeArchive

@Suite struct ZstdTests {
    @Test("Compressed data is restored, and a changed byte is detected")
    func damage() throws {
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
        let frame = try Zstd.compress(bytes)
        #expect(try Zstd.decompress(frame) == bytes)
        #expect(try Zstd.decompress(Zstd.compress([])) == [])
        for index in stride(from: 0, to: frame.count, by: 97) {
            var damaged = frame
            damaged[index] ^= 1
            #expect(throws: Zstd.Failure.self, "byte \(index)") { try Zstd.decompress(damaged) }
        }
        #expect(throws: Zstd.Failure.self) { try Zstd.decompress(frame.dropLast()) }
        #expect(throws: Zstd.Failure.self) { try Zstd.decompress(Array("plain".utf8)) }
    }
}
