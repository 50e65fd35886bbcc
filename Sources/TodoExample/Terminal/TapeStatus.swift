import StateTape
import TapeUplink

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

    /// Handles what the recorder says about its connection.
    ///
    /// - Returns: What the app must show beside the status line; nil if that says it.
    mutating func take(_ status: RecorderStatus) -> String? {
        switch status {
        case .connected: link = .up
        case .disconnected, .ended: link = .down(status.description)
        case .off(_, let isAsked): return isAsked ? status.description : nil
        }
        return nil
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
