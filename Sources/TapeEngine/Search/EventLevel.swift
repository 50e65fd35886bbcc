import TapeFormat

/// The level that an event has: a note's own, or what a row of the page shows.
enum EventLevel {
    /// - Returns: Nil if the event has no level.
    static func of(_ head: EventHead) -> String? {
        switch head.kind {
        case .note: head["level"]?.string ?? "info"
        // Without a result, the app crashed in the reducer.
        case .action where head.patch == nil && head.state == nil && head["unfinished"] == true: "error"
        case .action: head.error == nil ? nil : "error"
        case .end: head["reason"]?.string == "crashed" ? "error" : nil
        // Not all of the applied state fitted into the app.
        case .replace, .`init`: head.error != nil ? "error" : head["cause"]?["lost"] != nil ? "warning" : nil
        default: nil
        }
    }
}
