/// The status of the recording, for the last line of the screen.
struct TapeStatus: Equatable, Sendable {
    enum Link: Equatable, Sendable {
        case connecting
        case up
        case down(String)
    }

    /// The server's address; nil if the recorder is off.
    var address: String?
    var link = Link.connecting
    /// Whether the state on the screen was applied from a tape.
    var isApplied = false

    /// Handles a message of the recorder.
    ///
    /// - Returns: Whether it concerned the connection; the app shows any other message.
    mutating func take(_ message: String) -> Bool {
        if message.hasPrefix("Connected") {
            link = .up
        } else if message.hasPrefix("No connection") || message.hasPrefix("The server ended") {
            link = .down(message)
        } else {
            // The status line says that no address is set.
            return message.hasPrefix("StateTape is off: there is no address")
        }
        return true
    }

    var line: Line {
        var line = Line(" ")
        switch (address, link) {
        case (nil, _): line.add("○ not recording: pass --url or set STATETAPE_URL", .dim)
        case (let address?, .connecting): line.add("◌ connecting to \(address)", .dim)
        case (let address?, .up): line.add("● recording to \(address)", .good)
        case (_?, .down(let message)): line.add("◌ \(message)", .warning)
        }
        if isApplied { line.add("  ⟵ applied state", .warning) }
        return line
    }
}
