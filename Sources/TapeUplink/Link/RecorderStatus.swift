/// What a recorder tells the developer about its connection.
package enum RecorderStatus: Equatable, Sendable, CustomStringConvertible {
    /// - Parameters:
    ///   - reason: The end of "StateTape is off: …".
    ///   - isAsked: Whether an address or a file is set all the same.
    case off(reason: String, isAsked: Bool)
    case connected(session: String)
    /// The recorder retries. It reports only the first failure in a row.
    case disconnected(reason: String)
    /// The server ended the recording for good.
    case ended(reason: String)

    package var description: String {
        switch self {
        case .off(let reason, _): "StateTape is off: \(reason)."
        case .connected(let session): "Connected; the session is \(session)."
        case .disconnected(let reason):
            "No connection to the server: \(reason). The recorder retries until it connects."
        case .ended(let reason): "The server ended the recording: \(reason)"
        }
    }
}
