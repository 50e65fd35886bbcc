#if Server
    /// A regular expression as steps over bytes of UTF-8 (Thompson 1968).
    struct PatternProgram: Sendable {
        enum Step: Sendable {
            /// Takes one byte out of these.
            case byte(ClosedRange<UInt8>, next: Int)
            case either(Int, Int)
            case check(PatternParser.Check, next: Int)
            case match
        }

        static let maxSteps = 2_000

        private(set) var steps: [Step] = [.match]
        private(set) var entry = 0
        /// Whether it looks at what stands before a place.
        private(set) var hasBoundaries = false

        init(_ node: PatternParser.Node) throws(PatternParser.Failure) {
            entry = try add(node, before: 0)
        }

        /// Adds a node that goes on at `next`; answers where it begins.
        private mutating func add(
            _ node: PatternParser.Node, before next: Int
        ) throws(PatternParser.Failure) -> Int {
            switch node {
            case .scalars(let ranges): return try add(ranges, before: next)
            case .sequence(let nodes):
                var entry = next
                for node in nodes.reversed() { entry = try add(node, before: entry) }
                return entry
            case .choice(let nodes):
                var entries: [Int] = []
                for node in nodes { entries.append(try add(node, before: next)) }
                return try either(entries)
            case .repeated(let node, let least, let most):
                var entry = next
                if let most {
                    for _ in least..<most { entry = try add(.either(try add(node, before: entry), next)) }
                } else {
                    entry = try add(.either(next, next))
                    steps[entry] = .either(try add(node, before: entry), next)
                }
                for _ in 0..<least { entry = try add(node, before: entry) }
                return entry
            case .check(let check):
                if check == .boundary || check == .inside { hasBoundaries = true }
                return try add(.check(check, next: next))
            }
        }

        private mutating func add(_ step: Step) throws(PatternParser.Failure) -> Int {
            guard steps.count < Self.maxSteps else {
                throw PatternParser.Failure(description: "it takes more than \(Self.maxSteps) steps")
            }
            steps.append(step)
            return steps.count - 1
        }

        private mutating func either(_ entries: [Int]) throws(PatternParser.Failure) -> Int {
            // Of no scalar at all, nothing matches.
            guard var entry = entries.last else { return try add(.byte(0xff...0xff, next: 0)) }
            for other in entries.dropLast().reversed() { entry = try add(.either(other, entry)) }
            return entry
        }

        private mutating func add(
            _ ranges: [ClosedRange<UInt32>], before next: Int
        ) throws(PatternParser.Failure) -> Int {
            var sequences: [[ClosedRange<UInt8>]] = []
            for range in ranges { Self.split(range.lowerBound, range.upperBound, into: &sequences) }
            var entries: [Int] = []
            for sequence in sequences {
                var entry = next
                for bytes in sequence.reversed() { entry = try add(.byte(bytes, next: entry)) }
                entries.append(entry)
            }
            return try either(entries)
        }

        /// Cuts a range of scalars into ranges whose UTF-8 is one range of bytes after the other.
        private static func split(_ low: UInt32, _ high: UInt32, into sequences: inout [[ClosedRange<UInt8>]]) {
            for limit: UInt32 in [0x7f, 0x7ff, 0xffff] where low <= limit && limit < high {
                split(low, limit, into: &sequences)
                split(limit + 1, high, into: &sequences)
                return
            }
            if high > 0x7f {
                for bits: UInt32 in [6, 12, 18] {
                    let mask: UInt32 = 1 << bits - 1
                    guard low & ~mask != high & ~mask else { break }
                    if low & mask != 0 {
                        split(low, low | mask, into: &sequences)
                        split((low | mask) + 1, high, into: &sequences)
                        return
                    }
                    if high & mask != mask {
                        split(low, high & ~mask - 1, into: &sequences)
                        split(high & ~mask, high, into: &sequences)
                        return
                    }
                }
            }
            sequences.append(zip(utf8(low), utf8(high)).map { $0...$1 })
        }

        /// The bytes of a code point, a surrogate's too.
        private static func utf8(_ value: UInt32) -> [UInt8] {
            func rest(_ shift: UInt32) -> UInt8 { UInt8(0x80 | value >> shift & 0x3f) }
            return switch value {
            case 0...0x7f: [UInt8(value)]
            case 0x80...0x7ff: [UInt8(0xc0 | value >> 6), rest(0)]
            case 0x800...0xffff: [UInt8(0xe0 | value >> 12), rest(6), rest(0)]
            default: [UInt8(0xf0 | value >> 18), rest(12), rest(6), rest(0)]
            }
        }
    }
#endif
