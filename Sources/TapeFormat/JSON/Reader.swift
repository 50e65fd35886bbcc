/// A strict JSON parser (RFC 8259) with the format's limits. It builds a value, or only validates.
///
/// `value` builds, `skip` validates; both use `object`, `array`, `string` and `number`. Foundation's parser accepts `[1,]`
/// and `{"a":0,}`, and reformats numbers.
struct Reader {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    /// The keys of the open objects, to find duplicates without an allocation. Keys beyond the buffer are in `moreKeys`.
    /// Entries from `seen` on belong to closed objects and are reused.
    private let keys: UnsafeMutableBufferPointer<StringToken>
    private var moreKeys: [StringToken] = []
    private var seen = 0
    /// The number of keys without an allocation.
    private static let nearKeys = 32
    private var stack: ThreadStack
    /// The depth up to which the stack isn't checked.
    private static let shallow = 16

    private init(
        _ bytes: UnsafeBufferPointer<UInt8>, keys: UnsafeMutableBufferPointer<StringToken>, stack: ThreadStack
    ) {
        self.bytes = bytes
        self.keys = keys
        self.stack = stack
    }

    /// Parses bytes, and requires that `body` consumes all of them.
    static func whole<Result>(
        _ bytes: some Sequence<UInt8>, stack: ThreadStack = ThreadStack(),
        _ body: (inout Reader) throws(FormatError) -> Result
    ) throws(FormatError) -> Result {
        func run(_ buffer: UnsafeBufferPointer<UInt8>) -> Swift.Result<Result, FormatError> {
            withUnsafeTemporaryAllocation(of: StringToken.self, capacity: nearKeys) { keys in
                var reader = Reader(buffer, keys: keys, stack: stack)
                do throws(FormatError) {
                    let result = try body(&reader)
                    reader.skipSpace()
                    guard reader.position == buffer.count else {
                        throw reader.error("text after the end of the JSON value")
                    }
                    return .success(result)
                } catch {
                    return .failure(error)
                }
            }
        }
        let result = bytes.withContiguousStorageIfAvailable(run) ?? Array(bytes).withUnsafeBufferPointer(run)
        return try result.get()
    }

    func error(_ message: String, at offset: Int? = nil) -> FormatError {
        FormatError(message, at: offset ?? position)
    }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
        while position < bytes.count, bytes[position] <= 0x20,
            bytes[position] == 0x20 || bytes[position] == 0x0a || bytes[position] == 0x0d || bytes[position] == 0x09
        {
            position += 1
        }
    }

    /// Parses a value.
    mutating func value(depth: Int = 0) throws(FormatError) -> JSON {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"):
            var members: [JSON.Object.Member] = []
            try object(depth) { (reader, key) throws(FormatError) in
                let key = key.text(in: reader.bytes)
                members.append(JSON.Object.Member(key: key, value: try reader.value(depth: depth + 1)))
            }
            return .object(JSON.Object(distinct: members))
        case UInt8(ascii: "["):
            var elements: [JSON] = []
            try array(depth) { (reader) throws(FormatError) in elements.append(try reader.value(depth: depth + 1)) }
            return .array(elements)
        case UInt8(ascii: "\""): return .string(try string().text(in: bytes))
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default:
            return .number(
                JSON.Number(
                    checked: String(decoding: UnsafeBufferPointer(rebasing: bytes[try number()]), as: UTF8.self)))
        }
    }

    /// Validates a value without building it.
    ///
    /// - Returns: Its range.
    @discardableResult
    mutating func skip(depth: Int = 0) throws(FormatError) -> Range<Int> {
        skipSpace()
        let start = position
        switch next {
        case UInt8(ascii: "{"):
            try object(depth) { (reader, _) throws(FormatError) in try reader.skip(depth: depth + 1) }
        case UInt8(ascii: "["):
            try array(depth) { (reader) throws(FormatError) in try reader.skip(depth: depth + 1) }
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"): try literal("true", ())
        case UInt8(ascii: "f"): try literal("false", ())
        case UInt8(ascii: "n"): try literal("null", ())
        default: _ = try number()
        }
        return start..<position
    }

    /// Parses an object; `member` parses the value of each key.
    mutating func object(
        _ depth: Int, member: (inout Reader, StringToken) throws(FormatError) -> Void
    ) throws(FormatError) {
        try open(depth)
        let firstKey = seen
        var large: Set<UTF8Text>?
        defer { seen = firstKey }
        if close(UInt8(ascii: "}")) { return }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw error("a key in quotes is expected") }
            let start = position
            let key = try string()
            guard isNew(key, since: firstKey, &large) else {
                throw error("duplicate key “\(key.text(in: bytes).prefix(100))”", at: start)
            }
            see(key)
            skipSpace()
            guard next == UInt8(ascii: ":") else { throw error("a colon is expected") }
            position += 1
            try member(&self, key)
            guard try more(UInt8(ascii: "}")) else { return }
        }
    }

    /// Parses an array; `element` parses each value.
    mutating func array(_ depth: Int, element: (inout Reader) throws(FormatError) -> Void) throws(FormatError) {
        try open(depth)
        if close(UInt8(ascii: "]")) { return }
        repeat { try element(&self) } while try more(UInt8(ascii: "]"))
    }

    private mutating func open(_ depth: Int) throws(FormatError) {
        guard depth < Limits.nesting else { throw error("nesting deeper than \(Limits.nesting)") }
        // In a debug build a level needs some kilobytes of stack, and an app's threads may have only 512 KiB.
        if depth > Self.shallow, stack.isNearlyFull() { throw error("nesting deeper than this thread can read") }
        position += 1
    }

    private mutating func close(_ byte: UInt8) -> Bool {
        skipSpace()
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func more(_ end: UInt8) throws(FormatError) -> Bool {
        skipSpace()
        switch next {
        case UInt8(ascii: ","):
            position += 1
            return true
        case end:
            position += 1
            return false
        case nil: throw error("the text ends inside \(end == UInt8(ascii: "]") ? "an array" : "an object")")
        default: throw error("a comma or “\(Character(Unicode.Scalar(end)))” is expected")
        }
    }

    private mutating func see(_ key: StringToken) {
        if seen < keys.count {
            keys.initializeElement(at: seen, to: key)
        } else if seen - keys.count < moreKeys.count {
            moreKeys[seen - keys.count] = key
        } else {
            moreKeys.append(key)
        }
        seen += 1
    }

    private func key(at index: Int) -> StringToken {
        index < keys.count ? keys[index] : moreKeys[index - keys.count]
    }

    /// Compares up to 16 keys with each other; uses a set for more.
    private func isNew(_ key: StringToken, since first: Int, _ large: inout Set<UTF8Text>?) -> Bool {
        if seen - first < 16 {
            for index in first..<seen where self.key(at: index).isSame(as: key, in: bytes) { return false }
            return true
        }
        var known = large ?? Set((first..<seen).map { UTF8Text(self.key(at: $0).text(in: bytes)) })
        large = nil
        let isNew = known.insert(UTF8Text(key.text(in: bytes))).inserted
        large = known
        return isNew
    }

    private mutating func literal<Value>(_ text: StaticString, _ value: Value) throws(FormatError) -> Value {
        let count = text.utf8CodeUnitCount
        guard position + count <= bytes.count,
            UnsafeBufferPointer(rebasing: bytes[position..<position + count])
                .elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: count))
        else { throw error("a JSON value is expected") }
        position += count
        return value
    }
}

extension JSON {
    /// Parses one JSON value in UTF-8.
    ///
    /// - Throws: `FormatError` with the position of a syntax error, invalid UTF-8, a lone surrogate, a duplicate key, a
    ///   trailing comma, or an exceeded limit of the format.
    public init(parsing bytes: some Sequence<UInt8>) throws(FormatError) {
        self = try Reader.whole(bytes) { (reader) throws(FormatError) in try reader.value() }
    }

    /// Parses one JSON value.
    public init(parsing text: String) throws(FormatError) {
        try self.init(parsing: text.utf8)
    }
}
