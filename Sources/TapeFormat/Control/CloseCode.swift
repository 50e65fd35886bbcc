/// Why a connection was closed; each says whether to try again.
public enum CloseCode: UInt16, Sendable {
    case normal = 1000
    case goingAway = 1001
    /// What was to be decompressed can't be.
    case badCompression = 1007
    case tooBig = 1009
    case badLine = 4000
    case notAuthorised = 4001
    case version = 4002
    case headerTooLarge = 4003
    /// A newer connection of the same session took over.
    case replaced = 4004
    /// A line above the expected seq, or after `end`.
    case outOfOrder = 4005
    /// The session belongs to another key.
    case otherKey = 4006
    /// A viewer that did not read for 30 s.
    case viewerSlow = 4008
    /// The session was deleted.
    case deleted = 4010
}
