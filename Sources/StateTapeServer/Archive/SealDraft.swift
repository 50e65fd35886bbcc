#if Server
    import TapeEngine
    import TapeFormat

    /// Lines on their way into a chunk.
    struct SealDraft: Sendable {
        private static let maxLines = 256
        private static let maxBytes = 256 << 10
        /// So much of a note or a type can sessions be found by, in Unicode scalars: the index takes six times as much.
        private static let maxWord = 4_096

        private(set) var covers: Range<Int>
        private var lines: [UInt8] = []
        private var heads: [Head] = []
        private var words: [String] = []
        private var noBases: [(store: String, seq: Int)] = []

        /// - Parameter first: The seq that comes next.
        init(from first: Int) {
            covers = first..<first
        }

        var isEmpty: Bool { heads.isEmpty }
        var bytes: Int { lines.count }

        /// Whether the chunk takes no further line. The last may go beyond the bytes.
        var isFull: Bool { heads.count >= Self.maxLines || lines.count >= Self.maxBytes }

        /// - Parameters:
        ///   - line: In its place in the order.
        ///   - patch: Its own, parsed, where it is at hand.
        mutating func append(_ line: EventLine, _ patch: JSON?) {
            lines += line.bytes
            lines.append(UInt8(ascii: "\n"))
            heads.append(Head(line, patch))
            covers = covers.lowerBound..<line.seq + 1
            if line.kind == .note, let text = line["text"]?.string { words.append(text) }
        }

        /// The line just appended came with a full state, which is a patch now.
        mutating func dropBase(_ line: EventLine) {
            noBases.append((line.store, line.seq))
        }

        /// Compresses what was gathered, and begins anew after it.
        mutating func seal(_ session: Session, _ names: inout NameNumbers) throws -> Seal {
            let columns = HeadColumns.encode(heads) { names.number(of: $0) }
            let (newNames, firstName) = names.takeNew()
            // A type is a word from its first event on.
            let types = Set(heads.compactMap(\.type).map(UTF8Text.init))
            let seal = Seal(
                session: session.row, id: session.id, covers: covers, lines: try Zstd.compress(lines),
                columns: try Zstd.compress(columns), names: newNames, firstName: firstName,
                words: (newNames.filter { types.contains(UTF8Text($0)) } + words)
                    .map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(Self.maxWord))) },
                noBases: noBases)
            self = SealDraft(from: covers.upperBound)
            return seal
        }
    }

    /// The numbers that a session's columns have for names.
    struct NameNumbers: Sendable {
        private var numbers: [UTF8Text: Int] = [:]
        private var new: [String] = []
        /// About the bytes that they take in memory.
        private(set) var bytes = 0

        init(_ names: [String]) {
            for (number, name) in names.enumerated() { set(number, name) }
        }

        private mutating func set(_ number: Int, _ name: String) {
            numbers[UTF8Text(name)] = number
            bytes += name.utf8.count + 64
        }

        mutating func number(of name: String) -> Int {
            if let number = numbers[UTF8Text(name)] { return number }
            set(numbers.count, name)
            new.append(name)
            return numbers.count - 1
        }

        /// The names that got a number since the last call, and the number of the first of them.
        mutating func takeNew() -> (names: [String], first: Int) {
            defer { new = [] }
            return (new, numbers.count - new.count)
        }
    }
#endif
