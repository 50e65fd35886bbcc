package import TapeFormat

/// An event without its payload, patch and state, for lists and statistics.
package struct EventHead: Sendable {
    package let seq: Int
    /// The number of events: 1, or the count of a gap.
    package let count: Int
    /// Microseconds since the session started.
    package let at: Int
    package let kind: EventKind
    package let store: String
    /// The type of an action; nil for other events.
    package let type: String?
    /// The size of the line, in bytes.
    package let bytes: Int
    /// The size of the patch's JSON text, in bytes; nil without a patch.
    package let patch: Int?
    /// The size of the full state's JSON text, in bytes; nil without one.
    package let state: Int?
    /// The number of operations of the patch; nil if the patch is too long to be parsed.
    package let operations: Int?
    /// The duration of the reducer in microseconds.
    package let took: Int?
    /// Further members, as JSON members without braces: `paths`, `moves` (source paths that are not in `paths`),
    /// `skipped`, `unfinished`, `cause`, `dispatch`, `reason`, `level`, `text`, `error`.
    package let rest: ArraySlice<UInt8>

    package init(
        seq: Int, count: Int, at: Int, kind: EventKind, store: String, type: String?, bytes: Int, patch: Int?,
        state: Int?,
        operations: Int?, took: Int?, rest: ArraySlice<UInt8>
    ) {
        self.seq = seq
        self.count = count
        self.at = at
        self.kind = kind
        self.store = store
        self.type = type
        self.bytes = bytes
        self.patch = patch
        self.state = state
        self.operations = operations
        self.took = took
        self.rest = rest
    }

    /// The first seq of the event; less than `seq` for a gap of several events.
    package var first: Int { seq - count + 1 }

    /// The further members.
    package var members: JSON.Object {
        (try? JSON(parsing: [UInt8(ascii: "{")] + rest + [UInt8(ascii: "}")]))?.object ?? JSON.Object()
    }

    /// One of the further members.
    package subscript(_ member: String) -> JSON? {
        rest.isEmpty ? nil : members[member]
    }

    private static let errorMember = Array(#""error":""#.utf8)

    /// The beginning of the error that the action's reducer threw, or the change of the state; nil if it threw none.
    package var error: String? {
        // Almost no head has one, and the search is faster than the parser.
        (kind == .action || kind == .replace) && rest.place(of: Self.errorMember) != nil ? self["error"]?.string : nil
    }

    /// Appends the head as one JSON object.
    package func write(to bytes: inout [UInt8]) {
        bytes += "{\"seq\":\(seq),\"at\":\(Self.milliseconds(at)),\"event\":".utf8
        JSON.string(kind.name).write(to: &bytes)
        bytes += ",\"store\":".utf8
        JSON.string(store).write(to: &bytes)
        if let type {
            bytes += ",\"type\":".utf8
            JSON.string(type).write(to: &bytes)
        }
        if kind == .gap { bytes += ",\"count\":\(count)".utf8 }
        bytes += ",\"bytes\":\(self.bytes)".utf8
        if let patch { bytes += ",\"patch\":\(patch)".utf8 }
        if let state { bytes += ",\"state\":\(state)".utf8 }
        if let operations { bytes += ",\"ops\":\(operations)".utf8 }
        if let took { bytes += ",\"took\":\(Self.milliseconds(took))".utf8 }
        if !rest.isEmpty {
            bytes.append(UInt8(ascii: ","))
            bytes += rest
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Formats microseconds as milliseconds without trailing zeros.
    private static func milliseconds(_ microseconds: Int) -> String {
        let (whole, part) = microseconds.quotientAndRemainder(dividingBy: 1_000)
        if part == 0 { return String(whole) }
        let decimals = String(1_000 + part).dropFirst()
        return "\(whole).\(decimals.reversed().drop { $0 == "0" }.reversed().map(String.init).joined())"
    }
}

extension EventHead {
    /// The maximum size of a patch that is parsed for `paths`, in bytes.
    private static let maxPatch = 4 << 10
    private static let maxText = 120
    private static let maxPaths = 3

    /// Counted in scalars: a character may have any number of them.
    private static func beginning(of text: String) -> JSON {
        .string(String(String.UnicodeScalarView(text.unicodeScalars.prefix(maxText))))
    }

    /// - Parameter patch: The line's parsed patch, if the caller has it.
    package init(_ line: EventLine, _ patch: JSON? = nil) {
        var rest = JSON.Object()
        var operations: Int?
        if let size = line.size("patch"), size < Self.maxPatch,
            let patch = (patch ?? line["patch"])?.array
        {
            operations = patch.count
            rest["paths"] = .array(patch.prefix(Self.maxPaths).compactMap { $0["path"] })
            if patch.contains(where: { $0["from"] != nil }) { rest["moves"] = true }
        }
        for member in ["skipped", "unfinished", "cause", "dispatch", "reason", "level"] {
            rest[member] = line[member]
        }
        if line.kind == .note, let text = line["text"]?.string {
            rest["text"] = Self.beginning(of: text)
        }
        if [.action, .replace].contains(line.kind), let error = line["error"]?.string {
            rest["error"] = Self.beginning(of: error)
        }
        self.init(
            seq: line.seq, count: line.count, at: Self.microseconds(line.at), kind: line.kind, store: line.store,
            type: line.type, bytes: line.bytes.count, patch: line.size("patch"), state: line.size("state"),
            operations: operations, took: line["took"]?.number.map(Self.microseconds),
            rest: JSON.object(rest).bytes.dropFirst().dropLast())
    }

    private static func microseconds(_ milliseconds: JSON.Number) -> Int {
        let microseconds = (milliseconds.double * 1_000).rounded()
        return microseconds > 0 ? Int(exactly: min(microseconds, 0x1p52)) ?? 0 : 0
    }
}
