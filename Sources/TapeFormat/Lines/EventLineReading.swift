extension EventLine {
    /// Parses and validates an event line.
    ///
    /// - Throws: `FormatError` with the member and its position in the line.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        guard bytes.count <= Limits.line else { throw FormatError("a line of more than \(Limits.line) bytes") }
        var head = Members()
        try Reader.whole(bytes) { (reader) throws(FormatError) in try head.read(&reader) }
        try self.init(head, bytes)
    }

    /// The members that parsing collects.
    struct Members {
        var parts: [Member] = []
        var seq: Int?
        var at: JSON?
        var kind: EventKind?
        var store: JSON?
        var count: JSON?
        var type: String?
        /// The number of members among `patch`, `state` and a true `skipped`.
        var outcomes = 0
        var isUnfinished = false
        var patch: Range<Int>?

        mutating func read(_ reader: inout Reader) throws(FormatError) {
            reader.skipSpace()
            guard reader.next == UInt8(ascii: "{") else { throw reader.error("a line must be a JSON object") }
            parts.reserveCapacity(8)
            try reader.object(0) { (reader, key) throws(FormatError) in
                reader.skipSpace()
                let start = reader.position
                try read(&reader, Key(token: key, bytes: reader.bytes))
                parts.append(Member(key: key, range: start..<reader.position))
            }
        }

        private mutating func read(_ reader: inout Reader, _ key: Key) throws(FormatError) {
            switch key {
            case "seq": seq = try reader.int()
            case "at": at = try reader.value(depth: 1)
            case "event": kind = try reader.kind()
            case "action": try readAction(&reader)
            case "patch":
                patch = try reader.skip(depth: 1)
                outcomes += 1
            case "state":
                try reader.skip(depth: 1)
                outcomes += 1
            case "store": store = try reader.value(depth: 1)
            case "count": count = try reader.value(depth: 1)
            case "skipped": outcomes += try reader.isTrue() ? 1 : 0
            case "unfinished": isUnfinished = try reader.isTrue()
            default: try reader.skip(depth: 1)
            }
        }

        /// The error for an invalid or missing member.
        func flaw(in bytes: [UInt8], _ member: StaticString, _ what: String) -> FormatError {
            let part = bytes.withUnsafeBufferPointer { bytes in parts.first { $0.key.isSame(as: member, in: bytes) } }
            guard let part else { return .missing("\(member)", in: "an event") }
            return FormatError(
                FormatError.expected(what, for: "\(member)", in: "an event").message, at: part.range.lowerBound)
        }

        private mutating func readAction(_ reader: inout Reader) throws(FormatError) {
            guard reader.next == UInt8(ascii: "{") else {
                throw reader.error("member “action” of an event must be an object")
            }
            let start = reader.position
            try reader.object(1) { (reader, key) throws(FormatError) in
                if key.isSame(as: "type", in: reader.bytes) {
                    type = try reader.value(depth: 2).string
                } else {
                    try reader.skip(depth: 2)
                }
            }
            guard type != nil else {
                throw reader.error("member “action” of an event needs a string “type”", at: start)
            }
        }
    }

    private init(_ head: Members, _ bytes: [UInt8]) throws(FormatError) {
        guard let seq = head.seq, 0...Limits.seq ~= seq else {
            throw head.flaw(in: bytes, "seq", "a whole number from 0 to \(Limits.seq)")
        }
        guard let at = head.at?.number, at.isTime else {
            throw head.flaw(in: bytes, "at", "a number of milliseconds, 0 or more")
        }
        guard let kind = head.kind else { throw head.flaw(in: bytes, "event", "a string") }
        if let store = head.store, store.string?.isEmpty ?? true { throw head.flaw(in: bytes, "store", "a name") }
        if kind == .gap {
            guard let count = head.count?.int, 1...seq + 1 ~= count else {
                throw head.flaw(in: bytes, "count", "a whole number from 1 to seq + 1")
            }
        }
        self.init(
            seq: seq, at: at, kind: kind, store: head.store?.string ?? "main", type: kind == .action ? head.type : nil,
            count: kind == .gap ? head.count?.int ?? 1 : 1, bytes: bytes, parts: head.parts)
        try checkMembers(head)
    }

    /// Checks that the event has all members that its kind requires.
    private func checkMembers(_ head: Members) throws(FormatError) {
        func require(_ name: String) throws(FormatError) {
            if raw(name) == nil { throw .missing(name, in: "event “\(kind.name)”") }
        }
        switch kind {
        case .`init`: try require("state")
        case .action:
            if head.type == nil { try require("action") }
            try requireOneState(head.outcomes, orNone: head.isUnfinished)
        case .replace:
            try require("cause")
            try requireOneState(head.outcomes, orNone: false)
        case .note:
            try require("text")
            guard self["text"]?.string != nil else { throw .expected("a string", for: "text", in: "event “note”") }
        case .gap: try require("reason")
        case .detach, .end, .other: break
        }
        if let patch = head.patch, bytes[patch.lowerBound] != UInt8(ascii: "[") {
            throw FormatError("member “patch” of an event must be an array", at: patch.lowerBound)
        }
    }

    private func requireOneState(_ given: Int, orNone: Bool) throws(FormatError) {
        guard given == 1 || given == 0 && orNone else {
            throw FormatError("event “\(kind.name)” needs one of “patch”, “state” and “skipped”, and has \(given)")
        }
    }
}

extension Reader {
    /// Parses an event's kind; nil if it isn't a string.
    fileprivate mutating func kind() throws(FormatError) -> EventKind? {
        guard next == UInt8(ascii: "\"") else {
            try skip(depth: 1)
            return nil
        }
        let token = try string()
        return token.isSame(as: "action", in: bytes) ? .action : EventKind(token.text(in: bytes))
    }

    /// Parses an integer; nil for any other value. Plain digits, the usual notation, need no string.
    fileprivate mutating func int() throws(FormatError) -> Int? {
        skipSpace()
        var number = 0
        var end = position
        while end < bytes.count, end - position < 18, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[end] {
            number = 10 * number + Int(bytes[end] - UInt8(ascii: "0"))
            end += 1
        }
        guard end > position, end < bytes.count, bytes[end] == UInt8(ascii: ","), bytes[position] != UInt8(ascii: "0")
        else { return try value(depth: 1).int }
        position = end
        return number
    }

    /// Parses any value; true only for `true`.
    fileprivate mutating func isTrue() throws(FormatError) -> Bool {
        let range = try skip(depth: 1)
        return bytes[range].elementsEqual("true".utf8)
    }
}

extension JSON.Number {
    /// Whether the number is finite and not negative; usually the text decides.
    fileprivate var isTime: Bool {
        guard let first = text.utf8.first, first != UInt8(ascii: "-") else { return double >= 0 }
        return text.utf8.count < 300 && !text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") } || double.isFinite
    }
}
