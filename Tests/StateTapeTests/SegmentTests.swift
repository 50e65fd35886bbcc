import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape
@testable import TapeUplink

@Suite("Segments of the spool")
struct SegmentTests {
    private let bytes =
        Segment.signature + (0..<3).flatMap { SpoolRecord.bytes(.line, ticket: UInt64($0), SpoolScene.note($0).bytes) }

    private func read(_ bytes: [UInt8]) -> Segment.Contents { bytes.withUnsafeBytes { Segment.read($0) } }

    @Test("A segment reads back with its lines and their tickets")
    func whole() {
        let contents = read(bytes)
        #expect(contents.lines.map(\.seq) == [0, 1, 2] && contents.tickets == [1, 2])
        #expect(!contents.isTorn && !contents.isDamaged)
    }

    @Test("Cut anywhere, it has its whole lines, and is torn, not damaged")
    func torn() {
        for count in bytes.indices {
            let contents = read(Array(bytes[..<count]))
            #expect(contents.lines.map(\.seq) == Array(0..<contents.lines.count), "\(count) bytes")
            #expect(!contents.isDamaged, "\(count) bytes")
            #expect(contents.isTorn == (contents.size < max(count, 1)), "\(count) bytes")
        }
        #expect(read(Array(bytes.dropLast())).lines.count == 2)
    }

    @Test("With a byte flipped in the middle, it is damaged and lacks only that line")
    func flipped() throws {
        var bytes = bytes
        let second = Segment.signature.count + SpoolRecord.headSize + SpoolScene.note(0).bytes.count
        bytes[second + SpoolRecord.headSize + 3] ^= 1
        let contents = read(bytes)
        #expect(contents.lines.map(\.seq) == [0, 2] && contents.isDamaged)
    }

    @Test("A file of another kind is damaged and has no lines")
    func foreign() {
        let contents = read(Array("a diary, not a tape".utf8))
        #expect(contents.isDamaged && contents.lines.isEmpty)
    }
}
