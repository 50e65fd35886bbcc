extension EventLine {
    /// Writes an event line.
    ///
    /// - Parameters:
    ///   - seq: The event's number in the session, from 0.
    ///   - at: Milliseconds since the session started; rounded to three decimals.
    ///   - kind: The kind of the event.
    ///   - store: The name of the store.
    ///   - count: The number of lost events, for a gap.
    ///   - members: The further members for this kind of event, in order.
    public init(
        seq: Int, at: Double, kind: EventKind, store: String = "main", count: Int = 1, members: [(String, JSON)] = []
    ) {
        self.init(
            seq: seq, at: at, kind: kind, store: store, count: count,
            members: members.map { ($0, Content.json($1)) })
    }

    /// The value of a member.
    package enum Content {
        case json(JSON)
        /// Valid JSON text.
        case text([UInt8])
    }

    /// Writes an event line with members as values or as JSON text.
    package init(
        seq: Int, at: Double, kind: EventKind, store: String = "main", count: Int = 1, members: [(String, Content)]
    ) {
        let at = EventLine.milliseconds(at)
        var bytes: [UInt8] = []
        var parts: [Member] = []
        bytes.reserveCapacity(256)
        func write(_ name: String, _ value: Content) {
            let key = Self.writeKey(name, to: &bytes)
            let start = bytes.count
            switch value {
            case .json(let value): value.write(to: &bytes)
            case .text(let text): bytes += text
            }
            parts.append(Member(key: key, range: start..<bytes.count))
        }
        write("seq", .json(.number(JSON.Number(seq))))
        write("at", .json(.number(at)))
        write("event", .json(.string(kind.name)))
        if !store.hasSameUTF8(as: "main") { write("store", .json(.string(store))) }
        if kind == .gap { write("count", .json(.number(JSON.Number(count)))) }
        var type: String?
        for (name, value) in members {
            write(name, value)
            if kind == .action, name == "action", case .json(let action) = value { type = action["type"]?.string }
        }
        bytes.append(UInt8(ascii: "}"))
        self.init(
            seq: seq, at: at, kind: kind, store: store, type: type, count: kind == .gap ? count : 1, bytes: bytes,
            parts: parts)
    }

    /// A copy of the line in which one member has another name and value, at the same position.
    package func replacing(_ member: String, by name: String, _ value: JSON) -> EventLine {
        EventLine(
            copying: self,
            parts.map { part in
                self.name(part).hasSameUTF8(as: member)
                    ? (name, .json(value)) : (self.name(part), .text(Array(bytes[part.range])))
            })
    }

    /// A copy of the line in which one member has this value; without the member if the value is nil.
    package func setting(_ member: String, to value: JSON?) -> EventLine {
        if let value, raw(member) != nil { return replacing(member, by: member, value) }
        var others: [(String, Content)] = []
        for part in parts where !name(part).hasSameUTF8(as: member) {
            others.append((name(part), .text(Array(bytes[part.range]))))
        }
        if let value { others.append((member, .json(value))) }
        return EventLine(copying: self, others)
    }

    private init(copying line: EventLine, _ members: [(String, Content)]) {
        var bytes: [UInt8] = []
        var parts: [Member] = []
        for (name, value) in members {
            let key = Self.writeKey(name, to: &bytes)
            let start = bytes.count
            switch value {
            case .json(let value): value.write(to: &bytes)
            case .text(let text): bytes += text
            }
            parts.append(Member(key: key, range: start..<bytes.count))
        }
        bytes.append(UInt8(ascii: "}"))
        self.init(
            seq: line.seq, at: line.at, kind: line.kind, store: line.store, type: line.type, count: line.count,
            bytes: bytes, parts: parts)
    }

    /// Writes a member's key, with the comma before it.
    private static func writeKey(_ name: String, to bytes: inout [UInt8]) -> StringToken {
        bytes.append(UInt8(ascii: bytes.isEmpty ? "{" : ","))
        let start = bytes.count + 1
        JSON.write(name, to: &bytes)
        let range = start..<bytes.count - 1
        bytes.append(UInt8(ascii: ":"))
        return StringToken(range: range, hasEscapes: bytes[range].contains(UInt8(ascii: "\\")))
    }

    /// Formats a time with up to three decimals, without trailing zeros.
    private static func milliseconds(_ value: Double) -> JSON.Number {
        // Clamps to the valid range; NaN becomes 0.
        let thousandths = value > 0 ? Int((min(value, Double(Limits.seq / 1_000)) * 1_000).rounded()) : 0
        let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1_000)
        guard rest > 0 else { return JSON.Number(whole) }
        var decimals = String(1_000 + rest).dropFirst()
        while decimals.last == "0" { decimals.removeLast() }
        return JSON.Number(checked: "\(whole).\(decimals)")
    }
}
