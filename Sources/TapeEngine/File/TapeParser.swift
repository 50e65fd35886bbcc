package import TapeFormat

/// Parses a tape file chunk by chunk: lines, plain or gzipped, or a Redux DevTools export.
///
/// It passes each line on at once. A byte order mark is skipped, and UTF-16 with such a mark is read. A file that doesn't
/// consist of lines is kept in memory until its end.
package struct TapeParser {
    package enum Part {
        case header(Header)
        case line(EventLine)
    }

    /// The file isn't a tape, or it ends in its first line.
    package enum Foreign: Error, CustomStringConvertible {
        /// The file is neither a tape nor an export of the Redux DevTools.
        case unknown
        /// The gzip file ends in its first line.
        case cut

        /// What continues “The file …” for an unknown file.
        static let problem = "is neither a tape nor an export of the Redux DevTools"

        package var description: String {
            switch self {
            case .unknown: "The file \(Self.problem)."
            case .cut: "The gzip file ends in its first line."
            }
        }
    }

    /// The header of another tape is in ``line``.
    package struct SecondTape: Error, CustomStringConvertible {
        package var description: String { "another tape begins there: each tape needs a file of its own" }
    }

    private enum Phase {
        /// Before the first bytes, which decide whether the file is gzipped.
        case start([UInt8])
        /// In the first line, which decides whether the file is a tape.
        case deciding([UInt8])
        /// In a file that is parsed as a whole.
        case document([UInt8])
        case lines
        case over
    }

    /// The maximum size of a file that doesn't consist of lines, in bytes.
    private static let maxDocument = 64 << 20
    /// The approximate maximum number of values in it: two bytes of text may become a value that needs much more memory.
    private static let maxValues = 8_000_000
    /// The same for a header, with its states. Anybody may write one, so it must fit into a server's memory.
    private static let maxHeaderValues = 16_000_000
    private static let headerStart = Array("{\"tape\"".utf8)
    /// The maximum number of blank lines in a row.
    private static let maxBlank = 1_000

    private let maxLine: Int
    private let maxBytes: Int
    private let isPacked: Bool
    private let sessionID: ([UInt8]) -> String
    private var phase: Phase
    private var next: Phase
    private var gunzip: Gunzip?
    /// Nil for the rest of a tape, which has no mark.
    private var decoder: UnicodeDecoder?
    private var cutter = LineCutter()
    private var blank = 0
    /// The number of the current line, from 1.
    package private(set) var line = 1
    /// The size of the text in UTF-8 up to the end of the last complete line, in bytes.
    package private(set) var whole = 0

    /// - Parameters:
    ///   - isPacked: True if the file must be gzipped; otherwise the first bytes decide.
    ///   - isRest: Whether the file has no header and continues a tape.
    ///   - maxLine: The maximum line length in bytes.
    ///   - maxBytes: The maximum decompressed size in bytes.
    ///   - sessionID: Makes the session id for a file without one, from its content.
    package init(
        isPacked: Bool = false, isRest: Bool = false, maxLine: Int = Limits.line, maxBytes: Int = .max,
        sessionID: @escaping ([UInt8]) -> String
    ) {
        self.maxLine = maxLine
        self.maxBytes = maxBytes
        self.isPacked = isPacked
        self.sessionID = sessionID
        phase = .start([])
        next = isRest ? .lines : .deciding([])
        decoder = isRest ? nil : UnicodeDecoder()
    }

    /// The number of buffered bytes.
    package var held: Int {
        switch phase {
        case .start(let bytes), .deciding(let bytes), .document(let bytes): bytes.count
        case .lines: cutter.rest.count
        case .over: 0
        }
    }

    /// Whether the file is parsed as a whole at its end.
    package var isDocument: Bool {
        switch phase {
        case .deciding, .document: true
        case .start, .lines, .over: false
        }
    }

    /// Parses the next chunk.
    ///
    /// - Throws: `FormatError` or ``SecondTape`` if ``line`` is invalid; ``Foreign``; ``Gunzip/Failure``; ``TooLarge``;
    ///   errors of `body`.
    ///   After an error the parser must not be used.
    package mutating func take(_ piece: [UInt8], _ body: (Part) throws -> Void) throws {
        guard case .start(let before) = phase else { return try unpack(piece, body) }
        let start = before + piece
        guard isPacked || start.count >= Gunzip.magic.count else {
            phase = .start(start)
            return
        }
        if isPacked || start.starts(with: Gunzip.magic) { gunzip = Gunzip(limit: maxBytes) }
        phase = next
        try unpack(start, body)
    }

    /// Ends the file.
    ///
    /// - Returns: Whether the file is cut off in ``line``; all lines before it were passed on.
    package mutating func end(_ body: (Part) throws -> Void) throws -> Bool {
        if case .start(let text) = phase {
            // Too short to be gzipped.
            phase = next
            try takeUnpacked(text, body)
        }
        try takeText(decoder?.end() ?? [], body)
        let isCut = gunzip.map { !$0.isWhole } ?? false
        switch phase {
        case .deciding(let text), .document(let text):
            guard !isCut else { throw Foreign.cut }
            line = 1
            phase = .lines
            try read(text, body)
        case .start, .lines, .over: break
        }
        // A last line without a newline may be complete or cut off.
        if !isCut, !cutter.rest.isEmpty, (try? EventLine(parsing: cutter.rest)) != nil {
            try cut([UInt8(ascii: "\n")], body)
        }
        phase = .over
        return isCut || !cutter.rest.isEmpty
    }

    private mutating func unpack(_ piece: [UInt8], _ body: (Part) throws -> Void) throws {
        guard let gunzip else { return try takeUnpacked(piece, body) }
        try gunzip.unpack(piece) { try takeUnpacked($0, body) }
    }

    private mutating func takeUnpacked(_ piece: [UInt8], _ body: (Part) throws -> Void) throws {
        try takeText(decoder?.decode(piece) ?? piece, body)
    }

    private mutating func takeText(_ piece: [UInt8], _ body: (Part) throws -> Void) throws {
        switch phase {
        case .start, .over: break
        case .deciding(var text):
            // Removed from `phase`, so that `text` grows in place without a copy.
            phase = .over
            let end = LineCutter.newline(piece, from: 0).map { text.count + $0 }
            try Self.append(piece, to: &text, isHeader: text.starts(with: Self.headerStart))
            guard let end else {
                phase = .deciding(text)
                return
            }
            guard let header = try header(Array(text[..<end])) else {
                phase = .document(text)
                return
            }
            phase = .lines
            try body(.header(header))
            whole = end + 1
            line = 2
            try cut(Array(text[(end + 1)...]), body)
        case .document(var text):
            phase = .over
            try Self.append(piece, to: &text)
            phase = .document(text)
        case .lines: try cut(piece, body)
        }
    }

    private static func append(_ piece: [UInt8], to text: inout [UInt8], isHeader: Bool = false) throws {
        text += piece
        guard text.count <= (isHeader ? Limits.headerWithStates : maxDocument) else {
            throw TooLarge(
                isHeader
                    ? "A tape's header may have \(Limits.headerWithStates) bytes, with its states."
                    : "A file that isn't a tape may have \(maxDocument) bytes.")
        }
    }

    private mutating func cut(_ piece: [UInt8], _ body: (Part) throws -> Void) throws {
        let maxLine = maxLine
        try cutter.add(piece) { bytes in
            guard bytes.count <= maxLine else { throw FormatError("a line of more than \(maxLine) bytes") }
            blank = bytes.isEmpty ? blank + 1 : 0
            guard blank <= Self.maxBlank else { throw FormatError("more than \(Self.maxBlank) blank lines in a row") }
            if !bytes.isEmpty { try body(.line(Self.event(bytes))) }
            whole += bytes.count + 1
            line += 1
        }
        guard cutter.rest.count <= maxLine else { throw FormatError("a line of more than \(maxLine) bytes") }
    }

    private static func event(_ bytes: [UInt8]) throws -> EventLine {
        do {
            return try EventLine(parsing: bytes)
        } catch  where bytes.starts(with: headerStart) {
            throw SecondTape()
        }
    }

    /// The header of a tape; nil if the line isn't a header.
    private func header(_ text: [UInt8]) throws -> Header? {
        // Parsing so many values would fill the memory.
        let isHeader = text.starts(with: Self.headerStart)
        let maxValues = isHeader ? Self.maxHeaderValues : Self.maxValues
        guard Self.values(text) <= maxValues else {
            guard isHeader else { return nil }
            throw TooLarge("A tape's header may have \(maxValues) values, with its states.")
        }
        do {
            let json = try JSON(parsing: text)
            guard json["tape"] != nil else { return nil }
            return try header(json, text.count)
        } catch  where !isHeader {
            return nil
        }
    }

    private func header(_ json: JSON, _ size: Int) throws -> Header {
        // The states in the header have no length limit.
        let states = json["states"]?.bytes.count ?? 0
        guard size - states <= Limits.header else {
            throw FormatError("the header is longer than \(Limits.header) bytes, without its states")
        }
        return try Header(json)
    }

    /// Parses a file that doesn't consist of lines.
    private mutating func read(_ text: [UInt8], _ body: (Part) throws -> Void) throws {
        if text.starts(with: Self.headerStart), let header = try header(text) { return try body(.header(header)) }
        guard Self.values(text) <= Self.maxValues else {
            throw TooLarge("A file that isn't a tape may have \(Self.maxValues) values.")
        }
        // A tape may have no half characters, another file does.
        var mended = text
        let halves = HalfCharacters.replace(in: &mended)
        let json = try JSON(parsing: mended)
        if json["tape"] != nil { return try body(.header(header(JSON(parsing: text), text.count))) }
        guard let file = try ReduxFile(json, name: sessionID(text), halves: halves) else {
            throw Foreign.unknown
        }
        try body(.header(file.header))
        for line in file.lines { try body(.line(line)) }
    }

    /// Estimates the number of values in JSON text: one after each of these characters.
    private static func values(_ text: [UInt8]) -> Int {
        text.withUnsafeBufferPointer { text in
            var count = 1
            for byte in text where byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") { count += 1 }
            return count
        }
    }
}
