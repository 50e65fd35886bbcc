/// The JSON text of an array or object that nobody has looked into yet: a part of a valid text.
struct UnreadText {
    private let source: [UInt8]
    private let range: Range<Int>

    /// - Parameter source: Valid JSON text.
    init(_ source: [UInt8], in range: Range<Int>) {
        (self.source, self.range) = (source, range)
    }

    init(of value: JSON) {
        source = value.bytes
        range = source.indices
    }

    var bytes: ArraySlice<UInt8> { source[range] }

    func json() throws(Patch.Failure) -> JSON {
        try read { (reader) throws(FormatError) in try reader.value() }
    }

    /// The text's size as `JSON.Footprint` counts it.
    func size() throws(Patch.Failure) -> Int {
        try read { (reader) throws(FormatError) in try reader.size() }
    }

    /// - Throws: `Failure` if the text is nested deeper than this thread can read.
    private func read<Result>(
        _ body: (inout Reader) throws(FormatError) -> Result
    ) throws(Patch.Failure) -> Result {
        do throws(FormatError) {
            return try Reader.whole(bytes, body)
        } catch {
            throw Patch.Failure(path: "", message: error.description)
        }
    }

    /// What an array or object has at its first level.
    struct Level {
        var keys: [String] = []
        /// The scalars; null in the places of arrays and objects.
        var values: [JSON] = []
        /// The arrays and objects, and their places.
        var texts: [(position: Int, text: UnreadText)] = []
        var isObject = false
    }

    func level() throws(Patch.Failure) -> Level {
        try read { (reader) throws(FormatError) in
            var level = Level()
            func take(_ reader: inout Reader) throws(FormatError) {
                reader.skipSpace()
                guard reader.next == UInt8(ascii: "{") || reader.next == UInt8(ascii: "[") else {
                    return level.values.append(try reader.value())
                }
                let place = try reader.skip()
                let start = range.lowerBound
                let text = UnreadText(source, in: start + place.lowerBound..<start + place.upperBound)
                level.texts.append((level.values.count, text))
                level.values.append(.null)
            }
            reader.skipSpace()
            level.isObject = reader.next == UInt8(ascii: "{")
            if level.isObject {
                try reader.object(0) { (reader, key) throws(FormatError) in
                    level.keys.append(key.text(in: reader.bytes))
                    try take(&reader)
                }
            } else {
                try reader.array(0) { (reader) throws(FormatError) in try take(&reader) }
            }
            return level
        }
    }
}

extension Reader {
    /// Skips a value.
    ///
    /// - Returns: The size of its text as `JSON.Footprint` counts it.
    fileprivate mutating func size(depth: Int = 0) throws(FormatError) -> Int {
        skipSpace()
        var size = 2
        switch next {
        case UInt8(ascii: "{"):
            try object(depth) { (reader, key) throws(FormatError) in
                size += 4 + key.size(in: reader.bytes) + (try reader.size(depth: depth + 1))
            }
        case UInt8(ascii: "["):
            try array(depth) { (reader) throws(FormatError) in size += 1 + (try reader.size(depth: depth + 1)) }
        case UInt8(ascii: "\""): size += try string().size(in: bytes)
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            try skip(depth: depth)
            size = JSON.Footprint.word
        default: size = try number().count
        }
        return size
    }
}

extension StringToken {
    /// The size of the string without escapes, in bytes.
    fileprivate func size(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        hasEscapes ? text(in: bytes).utf8.count : range.count
    }
}
