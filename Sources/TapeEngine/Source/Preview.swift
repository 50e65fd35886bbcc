package import TapeFormat

/// The values that a row of a timeline shows of an event: the most telling one of its payload, and what it changed.
///
/// `web/file/preview.js` answers the same for a file. An index is never the key of a shown member, because JavaScript
/// moves such keys to the front.
package struct Preview: Sendable {
    /// A change of the state, such as `/todos/3/done` and `= true`.
    package struct Change: Sendable {
        let path: String
        let value: String
    }

    /// The maximum size of an action or a patch that is parsed, in bytes.
    private static let maxParsed = 64 << 10
    private static let maxChanges = 3
    /// Members that keep earlier states or count changes: the user did not act on them.
    private static let bookkeeping: Set<String> = [
        "history", "undo", "redo", "undoStack", "redoStack", "past", "future", "revision", "updatedAt",
    ]

    let seq: Int
    let payload: String?
    let changes: [Change]
    /// The number of further changes.
    let more: Int

    package init(_ line: EventLine) {
        func small(_ member: String) -> JSON? { (line.size(member) ?? 0) <= Self.maxParsed ? line[member] : nil }
        seq = line.seq
        payload = small("action")?["payload"].flatMap(PreviewText.payload)
        let operations = (small("patch")?.array ?? []).filter(Self.isChange)
        // Those of one kind keep their order.
        let sorted = operations.filter { !Self.isBookkeeping($0) } + operations.filter(Self.isBookkeeping)
        changes = sorted.prefix(Self.maxChanges).map(Self.change)
        more = operations.count - changes.count
    }

    /// The preview as JSON; absent parts are left out.
    package var json: JSON {
        var json = JSON.Object([("seq", .number(.init(seq)))])
        json["payload"] = payload.map(JSON.string)
        if !changes.isEmpty {
            json["changes"] = .array(changes.map { ["path": .string($0.path), "value": .string($0.value)] })
        }
        if more > 0 { json["more"] = .number(.init(more)) }
        return .object(json)
    }

    private static func isChange(_ operation: JSON) -> Bool {
        guard operation["path"]?.string != nil, let name = operation["op"]?.string else { return false }
        return ["add", "replace", "remove", "move", "copy", "splice"].contains(name)
    }

    private static func isBookkeeping(_ operation: JSON) -> Bool {
        operation["path"]?.string?.split(separator: "/").contains { bookkeeping.contains(String($0)) } ?? false
    }

    private static func change(_ operation: JSON) -> Change {
        let value = operation["value"].map(PreviewText.value) ?? "…"
        let inserted = operation["insert"].map(PreviewText.value) ?? "\"\""
        let text =
            switch operation["op"]?.string {
            case "add": "+ " + value
            case "replace": "= " + value
            case "remove": "−"
            case "move": "moved"
            case "copy": "copied"
            default: inserted == "\"\"" ? "shortened" : "… \(inserted) …"
            }
        return Change(path: PreviewText.path(operation["path"]?.string ?? ""), value: text)
    }
}
