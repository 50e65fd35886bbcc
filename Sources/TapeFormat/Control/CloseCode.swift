/// The WebSocket close codes; the code decides whether the app reconnects.
public enum CloseCode: UInt16, Sendable {
    case normal = 1000
    case goingAway = 1001
    /// A compressed message is invalid.
    case badCompression = 1007
    case tooBig = 1009
    /// The server failed, as when its disk is full.
    case serverFailed = 1011
    /// A page with control needs the place of a view-only one.
    case tryAgainLater = 1013
    case badLine = 4000
    case notAuthorised = 4001
    case version = 4002
    case headerTooLarge = 4003
    /// A newer connection of the same session replaced this one.
    case replaced = 4004
    /// A line above the expected seq, or after `end`.
    case outOfOrder = 4005
    /// The session belongs to another key.
    case otherKey = 4006
    /// The viewer read nothing for 30 s.
    case viewerSlow = 4008
    /// The session was deleted.
    case deleted = 4010
    /// The session was recorded for another archive.
    case otherArchive = 4011
}
