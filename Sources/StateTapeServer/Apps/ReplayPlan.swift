import TapeFormat

/// What a live replay changes in its range.
struct ReplayPlan: Sendable {
    /// The actions that are not replayed, and those that are replaced, by their events.
    var leaveOut: Set<Int> = []
    var edit: [Int: JSON] = [:]
    /// Whether the app keeps the states that the actions lead to.
    var keep = false

    /// The action to send for an event; nil for none.
    func action(of line: EventLine) -> JSON? {
        guard line.kind == .action, !leaveOut.contains(line.seq) else { return nil }
        // The states of an earlier live replay were put back, so its actions led nowhere.
        if let cause = line["cause"], cause["loop"] != nil, cause["keep"] != true { return nil }
        return edit[line.seq] ?? line["action"]
    }
}
