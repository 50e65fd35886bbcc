extension EventLine {
    /// Writes an event line.
    ///
    /// - Parameters:
    ///   - at: Milliseconds since the session started; kept to three decimals.
    ///   - count: The events that a gap stands for.
    ///   - members: What this kind of event has beside its head, in order.
    public init(
        seq: Int, at: Double, kind: EventKind, store: String = "main", count: Int = 1, members: [(String, JSON)] = []
    ) {
        let at = EventLine.milliseconds(at)
        var bytes: [UInt8] = []
        var parts: [Member] = []
        func write(_ name: String, _ value: JSON) {
            bytes.append(UInt8(ascii: bytes.isEmpty ? "{" : ","))
            JSON.write(name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            let start = bytes.count
            value.write(to: &bytes)
            parts.append(Member(name: name, range: start..<bytes.count))
        }
        write("seq", .number(JSON.Number(seq)))
        write("at", .number(at))
        write("event", .string(kind.name))
        if !store.hasSameUTF8(as: "main") { write("store", .string(store)) }
        if kind == .gap { write("count", .number(JSON.Number(count))) }
        var type: String?
        for (name, value) in members {
            write(name, value)
            if kind == .action, name == "action" { type = value["type"]?.string }
        }
        bytes.append(UInt8(ascii: "}"))
        self.init(
            seq: seq, at: at, kind: kind, store: store, type: type, count: kind == .gap ? count : 1, bytes: bytes,
            parts: parts)
    }

    /// The text of a time: up to three decimals, none where they are zero.
    private static func milliseconds(_ value: Double) -> JSON.Number {
        let thousandths = Int((max(0, value) * 1_000).rounded())
        let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1_000)
        guard rest > 0 else { return JSON.Number(whole) }
        var decimals = String(1_000 + rest).dropFirst()
        while decimals.last == "0" { decimals.removeLast() }
        return JSON.Number(checked: "\(whole).\(decimals)")
    }
}
