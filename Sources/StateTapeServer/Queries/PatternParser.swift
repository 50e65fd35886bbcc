#if Server
    /// Reads a regular expression: literals, `.`, classes, `\d \w \s \b`, groups, `|`, `* + ? {n,m}`, `^`, `$`, and `(?i)`
    /// at its start. What would need going back over the text (references, looking around) is refused.
    struct PatternParser {
        indirect enum Node {
            /// One scalar out of these.
            case scalars([ClosedRange<UInt32>])
            case sequence([Node])
            case choice([Node])
            case repeated(Node, least: Int, most: Int?)
            case check(Check)
        }

        enum Check: Sendable { case start, end, boundary, inside }

        struct Failure: Error, CustomStringConvertible {
            let description: String
        }

        private static let maxCount = 1_000
        private static let maxDepth = 100

        private let scalars: [Unicode.Scalar]
        private var position = 0
        private var ignoresCase = false
        private var depth = 0

        static func parse(_ text: String) throws(Failure) -> Node {
            var parser = PatternParser(scalars: Array(text.unicodeScalars))
            if text.hasPrefix("(?i)") {
                parser.ignoresCase = true
                parser.position = 4
            }
            let node = try parser.choice()
            guard parser.next == nil else { throw parser.failure("“)” without “(”") }
            return node
        }

        private init(scalars: [Unicode.Scalar]) {
            self.scalars = scalars
        }

        private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

        private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
            guard next == scalar else { return false }
            position += 1
            return true
        }

        private mutating func any(_ what: String) throws(Failure) -> Unicode.Scalar {
            guard let scalar = next else { throw failure("\(what) is missing at the end") }
            position += 1
            return scalar
        }

        private func failure(_ message: String) -> Failure {
            Failure(description: "\(message), at character \(position)")
        }

        private mutating func choice() throws(Failure) -> Node {
            depth += 1
            defer { depth -= 1 }
            guard depth <= Self.maxDepth else { throw failure("groups deeper than \(Self.maxDepth)") }
            var nodes = [try sequence()]
            while take("|") { nodes.append(try sequence()) }
            return nodes.count == 1 ? nodes[0] : .choice(nodes)
        }

        private mutating func sequence() throws(Failure) -> Node {
            var nodes: [Node] = []
            while let scalar = next, scalar != "|", scalar != ")" { nodes.append(try repeated(try atom())) }
            return .sequence(nodes)
        }

        private mutating func repeated(_ atom: Node) throws(Failure) -> Node {
            var node = atom
            while let (least, most) = try quantifier() {
                node = .repeated(node, least: least, most: most)
                // Lazy or not, the same texts match.
                _ = take("?")
                if next == "+" { throw failure("possessive quantifiers are not supported") }
            }
            return node
        }

        private mutating func quantifier() throws(Failure) -> (least: Int, most: Int?)? {
            if take("*") { return (0, nil) }
            if take("+") { return (1, nil) }
            if take("?") { return (0, 1) }
            let start = position
            guard take("{"), let least = count() else {
                // A brace that counts nothing stands for itself.
                position = start
                return nil
            }
            let most = take(",") ? count() : least
            guard take("}") else {
                position = start
                return nil
            }
            guard least <= Self.maxCount, most ?? 0 <= Self.maxCount, most ?? least >= least else {
                throw failure("a quantifier counts up to \(Self.maxCount), the least first")
            }
            return (least, most)
        }

        private mutating func count() -> Int? {
            let start = position
            while let scalar = next, "0"..."9" ~= scalar { position += 1 }
            let digits = String(String.UnicodeScalarView(scalars[start..<position]))
            return digits.isEmpty ? nil : Int(digits) ?? .max
        }

        private mutating func atom() throws(Failure) -> Node {
            let scalar = try any("something")
            switch scalar {
            case "(": return try group()
            case "[": return .scalars(folded(try set()))
            case ".": return .scalars(Self.inverted([10...10]))
            case "^": return .check(.start)
            case "$": return .check(.end)
            case "*", "+", "?": throw failure("“\(scalar)” has nothing to repeat")
            case "\\":
                switch next {
                case "b":
                    position += 1
                    return .check(.boundary)
                case "B":
                    position += 1
                    return .check(.inside)
                default: return .scalars(folded(try escape()))
                }
            default: return .scalars(folded([scalar.value...scalar.value]))
            }
        }

        private mutating func group() throws(Failure) -> Node {
            if take("?") {
                if take("<"), next != "=", next != "!" {
                    while try any("“>”") != ">" {}
                } else if !take(":") {
                    throw failure("only groups “(…)”, “(?:…)” and “(?<name>…)” are supported")
                }
            }
            let node = try choice()
            guard take(")") else { throw failure("“)” is missing") }
            return node
        }

        private mutating func set() throws(Failure) -> [ClosedRange<UInt32>] {
            let isInverted = take("^")
            var ranges: [ClosedRange<UInt32>] = []
            var isFirst = true
            while true {
                let scalar = try any("“]”")
                if scalar == "]", !isFirst { break }
                isFirst = false
                let low = scalar == "\\" ? try escape() : [scalar.value...scalar.value]
                guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
                    ranges += low
                    continue
                }
                position += 1
                let last = try any("“]”")
                let high = last == "\\" ? try escape() : [last.value...last.value]
                guard low.count == 1, high.count == 1, low[0].count == 1, high[0].count == 1,
                    low[0].lowerBound <= high[0].lowerBound
                else { throw failure("a range in “[…]” goes from one character to a later one") }
                ranges.append(low[0].lowerBound...high[0].lowerBound)
            }
            return isInverted ? Self.inverted(folded(ranges)) : ranges
        }

        /// What stands behind a backslash, which is taken.
        private mutating func escape() throws(Failure) -> [ClosedRange<UInt32>] {
            let scalar = try any("what is escaped")
            func one(_ value: UInt32) -> [ClosedRange<UInt32>] { [value...value] }
            switch scalar {
            case "d": return Self.digits
            case "D": return Self.inverted(Self.digits)
            case "w": return Self.word
            case "W": return Self.inverted(Self.word)
            case "s": return Self.space
            case "S": return Self.inverted(Self.space)
            case "n": return one(10)
            case "r": return one(13)
            case "t": return one(9)
            case "f": return one(12)
            case "v": return one(11)
            case "x": return one(try hex(2))
            case "u": return one(try hex(4))
            default:
                guard !scalar.properties.isAlphabetic, !("0"..."9" ~= scalar)
                else { throw failure("“\\\(scalar)” is not supported") }
                return one(scalar.value)
            }
        }

        private mutating func hex(_ count: Int) throws(Failure) -> UInt32 {
            var value: UInt32 = 0
            for _ in 0..<count {
                guard let digit = Character(try any("a hexadecimal digit")).hexDigitValue else {
                    throw failure("\(count) hexadecimal digits are expected")
                }
                value = value << 4 | UInt32(digit)
            }
            return value
        }

        private static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
        private static let word: [ClosedRange<UInt32>] = [0x30...0x39, 0x41...0x5a, 0x5f...0x5f, 0x61...0x7a]
        private static let space: [ClosedRange<UInt32>] = [0x09...0x0d, 0x20...0x20, 0xa0...0xa0, 0x2028...0x2029]

        private static func inverted(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
            var rest: [ClosedRange<UInt32>] = []
            var low: UInt32 = 0
            for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
                if range.lowerBound > low { rest.append(low...range.lowerBound - 1) }
                low = max(low, range.upperBound + 1)
            }
            return low <= 0x10ffff ? rest + [low...0x10ffff] : rest
        }

        /// With both cases of ASCII letters, where case doesn't count.
        private func folded(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
            guard ignoresCase else { return ranges }
            return ranges
                + ranges.flatMap { range in
                    [(UInt32(0x41)...0x5a, 32), (UInt32(0x61)...0x7a, -32)].compactMap { letters, step in
                        guard range.overlaps(letters) else { return nil }
                        let both = range.clamped(to: letters)
                        return UInt32(Int(both.lowerBound) + step)...UInt32(Int(both.upperBound) + step)
                    }
                }
        }
    }
#endif
