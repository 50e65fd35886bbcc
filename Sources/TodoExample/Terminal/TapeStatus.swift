/// How the recording stands, for the foot of the screen.
struct TapeStatus: Equatable, Sendable {
    /// Where the tape goes; nil if nothing is recorded.
    var address: String?
    /// The recorder's last message about the link, while it is of interest.
    var trouble: String?
    /// Whether the state on the screen came from the tape.
    var isPlayedIn = false

    var line: Line {
        var line = Line(" ")
        switch (address, trouble) {
        case (nil, _): line.add("○ tape off: give --url or STATETAPE_URL to record", .dim)
        case (_?, let trouble?): line.add("◌ tape: \(trouble)", .warning)
        case (let address?, nil): line.add("● tape: recording to \(address)", .good)
        }
        if isPlayedIn { line.add("  ⟵ this state was played in", .warning) }
        return line
    }
}
