import TapeFormat

/// A tape as its sender knows it.
struct SentTape: Sendable {
    let header: Header
    let lines: [EventLine]

    var id: String { header.session }
    /// The seq after the last event.
    var next: Int { (lines.last?.seq ?? -1) + 1 }

    /// As a file, starting with the line of `seq`.
    func bytes(from seq: Int = 0) -> [UInt8] {
        (seq > 0 ? [] : header.json.bytes + [10]) + lines.filter { $0.first >= seq }.flatMap { $0.bytes + [10] }
    }

    /// The differences of a tape that was read back. Each line must be identical, or have a patch that makes the
    /// state that was sent.
    func fault(in found: [[UInt8]]) -> String? {
        guard found.count == lines.count else { return "\(found.count) lines of \(lines.count)" }
        var states: [String: JSON] = [:]
        for (sent, bytes) in zip(lines, found) {
            let before = states[sent.store]
            switch sent.kind {
            case .gap: states = [:]
            case .detach: states[sent.store] = nil
            default:
                if let state = sent["state"] {
                    states[sent.store] = state
                } else if let patch = sent["patch"] {
                    states[sent.store] = before.flatMap { try? Patch(patch).applied(to: $0) }
                }
            }
            if sent.bytes == bytes { continue }
            guard var mine = try? JSON(parsing: sent.bytes).object, var theirs = try? JSON(parsing: bytes).object,
                let state = mine["state"], let patch = theirs["patch"], let before,
                (try? Patch(patch).applied(to: before)) == state
            else { return "event \(sent.seq) is \(String(decoding: bytes.prefix(200), as: UTF8.self))" }
            mine["state"] = nil
            theirs["patch"] = nil
            if mine != theirs { return "the members of event \(sent.seq) are others" }
        }
        return nil
    }
}
