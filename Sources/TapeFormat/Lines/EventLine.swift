/// One event of a session: its head as values, over the line's own bytes.
///
/// Reading checks the line but builds no tree: a server passes millions of states on without looking into them. What is
/// wanted of the rest is parsed when it is asked for, and the bytes are kept as they came, unknown members with them.
public struct EventLine: Sendable {
    /// The position in the session: 0, 1, 2 …
    public let seq: Int
    /// Milliseconds since the session started.
    public let at: JSON.Number
    public let kind: EventKind
    /// The name of the store, `main` where the line names none.
    public let store: String
    /// The type of an action; nil for other events.
    public let type: String?
    /// How many events the line stands for: 1, or the count of a gap.
    public let count: Int
    /// The line as read, without its newline.
    public let bytes: [UInt8]

    /// Where a member stands in the line. Nothing to let go of: millions of lines are.
    struct Member {
        let key: StringToken
        let range: Range<Int>
    }

    let parts: [Member]

    /// About the bytes that the line takes in memory.
    package var memory: Int { bytes.capacity + parts.capacity * MemoryLayout<Member>.stride + 256 }

    /// The first position that the line covers.
    public var first: Int { seq - count + 1 }

    /// The names of the line's members in their order.
    public var members: [String] { parts.map { name($0) } }

    /// The JSON text of a member; nil where there is none.
    public func raw(_ member: String) -> ArraySlice<UInt8>? {
        var member = member
        return member.withUTF8 { name in
            bytes.withUnsafeBufferPointer { bytes in parts.first { $0.key.isSame(as: name, in: bytes) }?.range }
        }.map { bytes[$0] }
    }

    func name(_ part: Member) -> String {
        bytes.withUnsafeBufferPointer { part.key.text(in: $0) }
    }

    /// The bytes that a member's JSON text takes; nil where there is none.
    public func size(_ member: String) -> Int? { raw(member)?.count }

    /// A member, parsed; nil where there is none.
    public subscript(_ member: String) -> JSON? {
        // The line was checked when it was read.
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
