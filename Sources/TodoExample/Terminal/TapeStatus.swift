/// How the recording stands, for the foot of the screen.
struct TapeStatus: Equatable, Sendable {
    enum Link: Equatable, Sendable {
        case connecting
        case up
        case down(String)
    }

    /// Where the tape goes; nil if nothing is recorded.
    var address: String?
    var link = Link.connecting
    /// Whether the state on the screen came from the tape.
    var isPlayedIn = false

    /// Takes one of the recorder's messages.
    ///
    /// - Returns: Whether it told how the link stands; anything else is for the person to read.
    mutating func take(_ message: String) -> Bool {
        if message.hasPrefix("Connected") {
            link = .up
        } else if message.hasPrefix("No connection") || message.hasPrefix("The server ended") {
            link = .down(message)
        } else {
            return message.hasPrefix("StateTape is off")
        }
        return true
    }

    var line: Line {
        var line = Line(" ")
        switch (address, link) {
        case (nil, _): line.add("○ tape off: give --url or STATETAPE_URL to record", .dim)
        case (let address?, .connecting): line.add("◌ connecting to \(address)", .dim)
        case (let address?, .up): line.add("● recording to \(address)", .good)
        case (_?, .down(let message)): line.add("◌ \(message)", .warning)
        }
        if isPlayedIn { line.add("  ⟵ this state was played in", .warning) }
        return line
    }
}
