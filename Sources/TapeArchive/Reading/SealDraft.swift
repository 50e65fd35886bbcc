import TapeEngine
package import TapeFormat

/// Lines that are collected for a chunk.
package struct SealDraft: Sendable {
    private static let maxLines = 256
    private static let maxBytes = 256 << 10
    /// In Unicode scalars. Only this much of a note or type can be searched: the index takes six times as much space.
    private static let maxWord = 4_096

    package private(set) var covers: Range<Int>
    private var lines: [UInt8] = []
    private var heads: [EventHead] = []
    private var words: [String] = []
    private var noBases: [(store: String, seq: Int)] = []

    /// - Parameter first: The seq of the next line.
    package init(from first: Int) {
        covers = first..<first
    }

    package var isEmpty: Bool { heads.isEmpty }
    package var bytes: Int { lines.count }

    /// Whether the chunk is full. Its last line may exceed the limit of bytes.
    package var isFull: Bool { heads.count >= Self.maxLines || lines.count >= Self.maxBytes }

    /// - Parameters:
    ///   - line: The next line.
    ///   - patch: The line's parsed patch, if the caller has it.
    package mutating func append(_ line: EventLine, _ patch: JSON?) {
        lines += line.bytes
        lines.append(UInt8(ascii: "\n"))
        heads.append(EventHead(line, patch))
        covers = covers.lowerBound..<line.seq + 1
        if line.kind == .note, let text = line["text"]?.string { words.append(text) }
    }

    /// The line just appended had a full state, which is now a patch.
    package mutating func dropBase(_ line: EventLine) {
        noBases.append((line.store, line.seq))
    }

    /// The part of a text that can be searched.
    package static func word(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(maxWord)))
    }

    /// Compresses the collected lines, and starts a new chunk after them.
    package mutating func seal(_ session: Session, _ names: inout NameNumbers) throws -> Seal {
        let columns = HeadColumns.encode(heads) { names.number(of: $0) }
        let (newNames, firstName) = names.takeNew()
        // A type is a search word from its first event on.
        let types = Set(heads.compactMap(\.type).map(UTF8Text.init))
        let seal = Seal(
            session: session.row, id: session.id, covers: covers, lines: try Zstd.compress(lines),
            columns: try Zstd.compress(columns), names: newNames, firstName: firstName,
            words: (newNames.filter { types.contains(UTF8Text($0)) } + words).map(Self.word),
            noBases: noBases)
        self = SealDraft(from: covers.upperBound)
        return seal
    }
}

/// The numbers of the names in a session's head columns.
package struct NameNumbers: Sendable {
    private var numbers: [UTF8Text: Int] = [:]
    private var new: [String] = []
    /// The approximate memory in bytes.
    package private(set) var bytes = 0

    package init(_ names: [String]) {
        for (number, name) in names.enumerated() { set(number, name) }
    }

    private mutating func set(_ number: Int, _ name: String) {
        numbers[UTF8Text(name)] = number
        bytes += name.utf8.count + 64
    }

    package mutating func number(of name: String) -> Int {
        if let number = numbers[UTF8Text(name)] { return number }
        set(numbers.count, name)
        new.append(name)
        return numbers.count - 1
    }

    /// Returns the names that were numbered since the last call, and the number of the first one.
    package mutating func takeNew() -> (names: [String], first: Int) {
        defer { new = [] }
        return (new, numbers.count - new.count)
    }
}
