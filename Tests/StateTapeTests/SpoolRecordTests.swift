import TapeFormat
import Testing

@testable import StateTape
@testable import TapeUplink

@Suite("Records of the spool")
struct SpoolRecordTests {
    @Test("A record reads back, marked or not, unless it is erased")
    func roundTrip() {
        for length in [0, 1, 7, 8, 9, 300] {
            let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7) }
            var bytes = [UInt8](repeating: 0, count: 5) + SpoolRecord.bytes(.line, ticket: 77, payload)
            bytes.withUnsafeMutableBytes { bytes in
                let record = SpoolRecord(in: UnsafeRawBufferPointer(bytes), at: 5)
                #expect(record?.kind == .line && record?.ticket == 77 && record?.isMarked == false)
                #expect(record.map { Array(bytes[$0.payload]) } == payload)
                guard let place = bytes.baseAddress.map({ $0 + 5 }) else { return }
                SpoolRecord.mark(place)
                #expect(SpoolRecord(in: UnsafeRawBufferPointer(bytes), at: 5)?.isMarked == true)
                SpoolRecord.erase(place)
                #expect(SpoolRecord(in: UnsafeRawBufferPointer(bytes), at: 5) == nil)
            }
        }
    }

    @Test("A record with any bit flipped is invalid, except for the mark and the padding")
    func flipped() {
        let sound = SpoolRecord.bytes(.line, ticket: 3, Array("{\"seq\":0,\"text\":\"abcdefghij\"}".utf8))
        for place in sound.indices where !(25..<32).contains(place) {
            for bit in 0..<8 {
                var bytes = sound
                bytes[place] ^= 1 << bit
                #expect(bytes.withUnsafeBytes { SpoolRecord(in: $0, at: 0) } == nil, "bit \(bit) of byte \(place)")
            }
        }
    }

    @Test("A record that is cut anywhere is invalid")
    func cut() {
        let sound = SpoolRecord.bytes(.line, Array("{\"seq\":0}".utf8))
        for count in sound.indices {
            #expect(sound[..<count].withUnsafeBytes { SpoolRecord.next(in: $0, from: 0) } == nil)
        }
    }

    @Test("The next record is found after unreadable bytes")
    func next() {
        let bytes: [UInt8] = [1, 0xff, 0x53, 0x54, 0xfe, 9] + SpoolRecord.bytes(.gap, Array("x".utf8))
        #expect(bytes.withUnsafeBytes { SpoolRecord.next(in: $0, from: 0) }?.range == 6..<bytes.count)
    }
}
