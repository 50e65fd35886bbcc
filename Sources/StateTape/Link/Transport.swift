/// Carries messages to and from a server; knows nothing of what they say.
protocol Transport: Sendable {
    /// Begins to connect and returns at once.
    ///
    /// - Parameter hear: Told what happens, on any thread, in order; `closed` comes once and last, also if the
    ///   connection was never made.
    func connect(
        to address: Address, hear: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportConnection

    /// Closes what is open; nothing is connected any more.
    func stop()
}

/// One connection of a ``Transport``.
protocol TransportConnection: Sendable {
    /// Queues a binary message.
    func send(_ message: [UInt8])
    /// Closes after what is queued has gone out.
    func close(code: UInt16, reason: String)
}

/// What a connection tells.
enum TransportEvent: Sendable, Equatable {
    case opened
    /// A message of one or more lines.
    case received([UInt8])
    /// Everything that was queued has gone out.
    case drained
    /// Without a code the connection was lost or never made, and the reason says why.
    case closed(code: UInt16?, reason: String)
}

/// What both ends agree on at the upgrade, and the longest message that is taken.
enum AppLink {
    static let subprotocol = "statetape.v1"
    static let maxMessage = 16 << 20
}
