import Foundation

/// How the recording stands, for the foot of the screen.
struct TapeStatus: Equatable, Sendable {
    /// Where the tape goes; nil if nothing is recorded.
    var address: String?
    /// What keeps the tape from going there at present.
    var trouble: String?
    /// Whether the state on the screen came from the tape.
    var isPlayedIn = false

    /// Takes one of the recorder's messages.
    ///
    /// - Returns: Whether it told how the link stands; anything else is for the person to read.
    mutating func take(_ message: String) -> Bool {
        if message.hasPrefix("Connected") {
            trouble = nil
        } else if message.hasPrefix("No connection") || message.hasPrefix("The server ended") {
            trouble = message
        } else {
            return message.hasPrefix("StateTape is off")
        }
        return true
    }

    var line: Line {
        var line = Line(" ")
        switch (address, trouble) {
        case (nil, _): line.add("○ tape off: give --url or STATETAPE_URL to record", .dim)
        case (_?, let trouble?): line.add("◌ \(trouble)", .warning)
        case (let address?, nil): line.add("● recording to \(address)", .good)
        }
        if isPlayedIn { line.add("  ⟵ this state was played in", .warning) }
        return line
    }
}
