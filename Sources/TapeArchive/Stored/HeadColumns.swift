package import TapeEngine
import TapeFormat

/// The heads of a chunk as columns of integers, which compress to a few bytes per head. Types and stores are
/// numbers into the session's list of names.
package enum HeadColumns {
    package struct Failure: Error, CustomStringConvertible {
        package let description = "the columns of heads are damaged"
    }

    /// The largest valid value of a size, a count, or a zigzag time in microseconds.
    private static let maxFigure = 1 << 54

    private static let kinds: [EventKind] = [.`init`, .action, .replace, .detach, .note, .gap, .end]

    /// - Parameter number: Returns the number of a name.
    package static func encode(_ heads: [EventHead], number: (String) -> Int) -> [UInt8] {
        var bytes: [UInt8] = []
        func column(_ value: (EventHead) -> Int) {
            for head in heads { write(value(head), to: &bytes) }
        }
        write(heads.count, to: &bytes)
        write(heads.first?.first ?? 0, to: &bytes)
        column(\.count)
        var before = 0
        column { head in
            defer { before = head.at }
            return zigzag(head.at - before)
        }
        column { head in kinds.firstIndex(of: head.kind) ?? kinds.count + number(head.kind.name) }
        column { number($0.store) }
        column { $0.type.map { number($0) + 1 } ?? 0 }
        column(\.bytes)
        for size in [\EventHead.patch, \.state, \.operations, \.took] {
            column { $0[keyPath: size].map { $0 + 1 } ?? 0 }
        }
        column(\.rest.count)
        for head in heads { bytes += head.rest }
        return bytes
    }

    package static func decode(_ bytes: [UInt8], names: [String]) throws(Failure) -> [EventHead] {
        var reader = Reader(bytes: bytes)
        let count = try reader.count()
        var first = try reader.number()
        guard 0...Limits.seq ~= first else { throw Failure() }
        func column() throws(Failure) -> [Int] {
            var values: [Int] = []
            values.reserveCapacity(count)
            for _ in 0..<count {
                let value = try reader.number()
                // Limited, since the values are added up later.
                guard 0...maxFigure ~= value else { throw Failure() }
                values.append(value)
            }
            return values
        }
        func optional(_ value: Int) -> Int? { value == 0 ? nil : value - 1 }
        func name(_ number: Int) throws(Failure) -> String {
            guard names.indices.contains(number) else { throw Failure() }
            return names[number]
        }
        let (counts, times, kinds, stores, types) = (
            try column(), try column(), try column(), try column(), try column()
        )
        let (sizes, patches, states, operations, took, rests) = (
            try column(), try column(), try column(), try column(), try column(), try column()
        )
        var at = 0
        var heads: [EventHead] = []
        heads.reserveCapacity(count)
        for index in 0..<count {
            guard counts[index] > 0, counts[index] <= Limits.seq + 1 - first else { throw Failure() }
            at += (times[index] >> 1) ^ -(times[index] & 1)
            guard 0...maxFigure ~= at else { throw Failure() }
            let kind = kinds[index]
            heads.append(
                EventHead(
                    seq: first + counts[index] - 1, count: counts[index], at: at,
                    kind: Self.kinds.indices ~= kind
                        ? Self.kinds[kind] : .other(try name(kind - Self.kinds.count)),
                    store: try name(stores[index]), type: try optional(types[index]).map(name),
                    bytes: sizes[index], patch: optional(patches[index]), state: optional(states[index]),
                    operations: optional(operations[index]), took: optional(took[index]),
                    rest: try reader.bytes(rests[index])))
            first += counts[index]
        }
        return heads
    }

    private static func zigzag(_ value: Int) -> Int { (value << 1) ^ (value >> (Int.bitWidth - 1)) }

    /// Seven bits per byte, the lowest first.
    private static func write(_ value: Int, to bytes: inout [UInt8]) {
        var rest = UInt(bitPattern: value)
        while rest > 127 {
            bytes.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        /// The number of heads, at most one per byte.
        mutating func count() throws(Failure) -> Int {
            let count = try number()
            guard 0...bytes.count ~= count else { throw Failure() }
            return count
        }

        mutating func number() throws(Failure) -> Int {
            var value: UInt = 0
            for shift in stride(from: UInt(0), to: 64, by: 7) {
                guard position < bytes.count else { throw Failure() }
                let byte = bytes[position]
                position += 1
                value |= UInt(byte & 127) << shift
                if byte < 128 { return Int(bitPattern: value) }
            }
            throw Failure()
        }

        mutating func bytes(_ count: Int) throws(Failure) -> ArraySlice<UInt8> {
            guard 0...bytes.count - position ~= count else { throw Failure() }
            defer { position += count }
            return bytes[position..<position + count]
        }
    }
}
