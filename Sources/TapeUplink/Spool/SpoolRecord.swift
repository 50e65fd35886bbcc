/// A record in a spool's file: a payload after a head that shows whether the record is whole.
///
/// The head has 32 bytes, with little-endian numbers: a sign of four bytes, the payload's length (4), a ticket (8), the
/// checksum of length, ticket, kind and payload (8), the kind (1), a mark that may be set later (1), six zeros. No JSON
/// text has the sign's first byte, so that the next record can be found after a damaged one.
struct SpoolRecord {
    enum Kind: UInt8 {
        /// An event line.
        case line = 1
        /// A `gap` line that replaces dropped segments. It belongs before all other lines.
        case gap = 2
        /// An action that is being reduced.
        case action = 3
    }

    static let headSize = 32
    private static let sign: UInt32 = 0xfe54_53ff

    let kind: Kind
    /// Links an action with its event's line; 0 without an action.
    let ticket: UInt64
    let isMarked: Bool
    /// The range of the payload in the bytes that were read.
    let payload: Range<Int>
    /// The range of the whole record in these bytes.
    var range: Range<Int> { payload.lowerBound - Self.headSize..<payload.upperBound }

    /// Writes a record to `place`. The sign comes last, so that a partial record is not a record.
    static func write(
        _ kind: Kind, ticket: UInt64, _ payload: UnsafeRawBufferPointer, to place: UnsafeMutableRawPointer
    ) {
        place.storeBytes(of: UInt32(payload.count).littleEndian, toByteOffset: 4, as: UInt32.self)
        place.storeBytes(of: ticket.littleEndian, toByteOffset: 8, as: UInt64.self)
        place.storeBytes(of: checksum(kind, ticket, payload).littleEndian, toByteOffset: 16, as: UInt64.self)
        place.storeBytes(of: UInt64(kind.rawValue).littleEndian, toByteOffset: 24, as: UInt64.self)
        if let source = payload.baseAddress { (place + headSize).copyMemory(from: source, byteCount: payload.count) }
        place.storeBytes(of: sign.littleEndian, as: UInt32.self)
    }

    /// A record as bytes.
    static func bytes(_ kind: Kind, ticket: UInt64 = 0, _ payload: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: headSize + payload.count) { buffer, count in
            guard let place = buffer.baseAddress else { return }
            payload.withUnsafeBytes { write(kind, ticket: ticket, $0, to: UnsafeMutableRawPointer(place)) }
            count = headSize + payload.count
        }
    }

    static func mark(_ place: UnsafeMutableRawPointer) {
        place.storeBytes(of: 1, toByteOffset: 25, as: UInt8.self)
    }

    /// Invalidates a record.
    static func erase(_ place: UnsafeMutableRawPointer) {
        place.storeBytes(of: 0, as: UInt32.self)
    }

    /// Reads the record at an offset; nil if there is no whole one.
    init?(in bytes: UnsafeRawBufferPointer, at offset: Int) {
        guard offset >= 0, bytes.count - offset >= Self.headSize else { return nil }
        func number<Number: FixedWidthInteger & BitwiseCopyable>(at place: Int, _: Number.Type) -> Number {
            Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + place, as: Number.self))
        }
        guard number(at: 0, UInt32.self) == Self.sign, let kind = Kind(rawValue: bytes[offset + 24]) else { return nil }
        let length = Int(number(at: 4, UInt32.self))
        guard length <= bytes.count - offset - Self.headSize else { return nil }
        self.kind = kind
        ticket = number(at: 8, UInt64.self)
        isMarked = bytes[offset + 25] != 0
        payload = offset + Self.headSize..<offset + Self.headSize + length
        guard
            Self.checksum(kind, ticket, UnsafeRawBufferPointer(rebasing: bytes[payload])) == number(at: 16, UInt64.self)
        else { return nil }
    }

    /// The next whole record; nil if there is none.
    static func next(in bytes: UnsafeRawBufferPointer, from offset: Int) -> SpoolRecord? {
        var offset = offset
        while offset <= bytes.count - headSize {
            if bytes[offset] == 0xff, let record = SpoolRecord(in: bytes, at: offset) { return record }
            offset += 1
        }
        return nil
    }

    /// Differs for any two payloads that differ in one word. It reads eight bytes at a time, since each dispatch
    /// computes it.
    private static func checksum(_ kind: Kind, _ ticket: UInt64, _ payload: UnsafeRawBufferPointer) -> UInt64 {
        var sum = UInt64(truncatingIfNeeded: payload.count) ^ UInt64(kind.rawValue) << 56
        func add(_ word: UInt64) {
            sum = (sum ^ word) &* 0x9e37_79b9_7f4a_7c15
            sum ^= sum >> 29
        }
        add(ticket)
        var offset = 0
        while payload.count - offset >= 8 {
            add(UInt64(littleEndian: payload.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < payload.count {
            rest = rest << 8 | UInt64(payload[offset])
            offset += 1
        }
        add(rest)
        return sum
    }
}
