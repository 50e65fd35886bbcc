#if Server
    /// A regular expression to find in lines. It takes a time in proportion to the text, whatever the expression: all ways
    /// to match are followed at once, and the sets of places met on the way are kept (a lazily made automaton).
    ///
    /// Foundation's takes 21 µs for a line of 300 bytes, and goes back over the text without a bound of its own.
    struct LinePattern: Sendable {
        /// The places that it is at between two bytes.
        private struct Places: Hashable {
            var steps: [Int]
            var isAtStart = false
            var isBehindWord = false
        }

        private static let end = 256
        private static let unknown: Int32 = -1
        private static let matched: Int32 = -2
        /// Beyond so many sets all are forgotten.
        private static let maxSets = 512
        /// Steps taken to make sets: with more, an expression is made to be slow.
        private static let maxWork = 100_000_000

        private let program: PatternProgram
        private var sets: [Places] = []
        private var numbers: [Places: Int32] = [:]
        /// For each set, where each byte and the end lead.
        private var table: [Int32] = []
        private var work = 0

        init(_ text: String) throws(PatternParser.Failure) {
            program = try PatternProgram(PatternParser.parse(text))
        }

        /// - Throws: When so many sets were made that it takes too long.
        mutating func isFound(in bytes: ArraySlice<UInt8>) throws(PatternParser.Failure) -> Bool {
            var set = try number(Places(steps: [program.entry], isAtStart: true))
            for byte in bytes {
                let known = table[Int(set) * (Self.end + 1) + Int(byte)]
                set = known == Self.unknown ? try lead(from: set, Int(byte)) : known
                if set == Self.matched { return true }
            }
            return try lead(from: set, Self.end) == Self.matched
        }

        private mutating func number(_ places: Places) throws(PatternParser.Failure) -> Int32 {
            if let number = numbers[places] { return number }
            if sets.count == Self.maxSets {
                sets = []
                numbers = [:]
                table = []
            }
            let number = Int32(sets.count)
            sets.append(places)
            numbers[places] = number
            table += repeatElement(Self.unknown, count: Self.end + 1)
            return number
        }

        private mutating func lead(from set: Int32, _ symbol: Int) throws(PatternParser.Failure) -> Int32 {
            work += program.steps.count
            guard work < Self.maxWork else { throw PatternParser.Failure(description: "it takes too long") }
            let places = sets[Int(set)]
            var seen = [Bool](repeating: false, count: program.steps.count)
            var due = places.steps
            var reached: Set<Int> = [program.entry]
            while let index = due.popLast() {
                if seen[index] { continue }
                seen[index] = true
                switch program.steps[index] {
                case .match: return keep(set, symbol, Self.matched)
                case .either(let one, let other): due += [other, one]
                case .check(let check, let next): if passes(check, places, symbol) { due.append(next) }
                case .byte(let range, let next):
                    if symbol < Self.end, range ~= UInt8(symbol) { reached.insert(next) }
                }
            }
            // Nothing comes after the end.
            if symbol == Self.end { return set }
            let behind = Places(
                steps: reached.sorted(), isBehindWord: program.hasBoundaries && Self.isWord(symbol))
            let count = sets.count
            let number = try number(behind)
            return sets.count < count ? number : keep(set, symbol, number)
        }

        private mutating func keep(_ set: Int32, _ symbol: Int, _ number: Int32) -> Int32 {
            table[Int(set) * (Self.end + 1) + symbol] = number
            return number
        }

        private func passes(_ check: PatternParser.Check, _ places: Places, _ symbol: Int) -> Bool {
            switch check {
            case .start: places.isAtStart
            case .end: symbol == Self.end
            case .boundary: places.isBehindWord != Self.isWord(symbol)
            case .inside: places.isBehindWord == Self.isWord(symbol)
            }
        }

        private static func isWord(_ symbol: Int) -> Bool {
            switch symbol {
            case 0x30...0x39, 0x41...0x5a, 0x5f, 0x61...0x7a: true
            default: false
            }
        }
    }
#endif
