/// One event of a session: the bytes of its line, with a parsed head.
///
/// Parsing validates the line but builds no values for large members, because a server relays millions of states. Other
/// members are parsed on demand. The bytes stay unchanged, including unknown members.
public struct EventLine: Sendable {
    /// The event's number in the session: 0, 1, 2 …
    public let seq: Int
    /// Milliseconds since the session started.
    public let at: JSON.Number
    public let kind: EventKind
    /// The name of the store; `main` if the line has none.
    public let store: String
    /// The type of an action; nil for other events.
    public let type: String?
    /// The number of events: 1, or the count of a gap.
    public let count: Int
    /// The line without its newline.
    public let bytes: [UInt8]

    /// The ranges of a member in the line. It has no references, because releasing them for millions of lines is slow.
    struct Member {
        let key: StringToken
        let range: Range<Int>
    }

    let parts: [Member]

    /// The approximate size in memory, in bytes.
    package var memory: Int { bytes.capacity + parts.capacity * MemoryLayout<Member>.stride + 256 }

    /// The first seq of the line; less than `seq` for a gap of several events.
    public var first: Int { seq - count + 1 }

    /// The names of the line's members in their order.
    public var members: [String] { parts.map { name($0) } }

    /// The JSON text of a member; nil if it is missing.
    public func raw(_ member: String) -> ArraySlice<UInt8>? {
        var member = member
        return member.withUTF8 { name in
            bytes.withUnsafeBufferPointer { bytes in parts.first { $0.key.isSame(as: name, in: bytes) }?.range }
        }.map { bytes[$0] }
    }

    func name(_ part: Member) -> String {
        bytes.withUnsafeBufferPointer { part.key.text(in: $0) }
    }

    /// The size of a member's JSON text in bytes; nil if it is missing.
    public func size(_ member: String) -> Int? { raw(member)?.count }

    /// Parses a member; nil if it is missing.
    public subscript(_ member: String) -> JSON? {
        // The initializer validated the line.
        raw(member).flatMap { try? JSON(parsing: $0) }
    }

    init(
        seq: Int, at: JSON.Number, kind: EventKind, store: String, type: String?, count: Int, bytes: [UInt8],
        parts: [Member]
    ) {
        self.seq = seq
        self.at = at
        self.kind = kind
        self.store = store
        self.type = type
        self.count = count
        self.bytes = bytes
        self.parts = parts
    }
}
