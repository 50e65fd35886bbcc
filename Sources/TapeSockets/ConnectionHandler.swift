/// Receives a connection's events, all on the loop's thread.
package protocol ConnectionHandler: AnyObject {
    func opened(_ connection: Connection)
    /// A whole message has arrived.
    func received(_ connection: Connection, _ message: [UInt8], isText: Bool)
    /// Everything queued was sent.
    func drained(_ connection: Connection)
    /// Called exactly once, even if the connection never opened. `code` and `reason` are those that were received or
    /// sent. Without a code the connection was lost or never made, and `reason` says why.
    func closed(_ connection: Connection, code: UInt16?, reason: String)
}
