/// What hears of a connection, all on the loop's thread.
package protocol ConnectionHandler: AnyObject, Sendable {
    func opened(_ connection: Connection)
    /// A whole message.
    func received(_ connection: Connection, _ message: [UInt8], isText: Bool)
    /// The queue is empty again.
    func drained(_ connection: Connection)
    /// Comes exactly once, also if the connection never opened. `code` and `reason` as received or sent;
    /// without a code the connection was lost or never made, and `reason` says why in words.
    func closed(_ connection: Connection, code: UInt16?, reason: String)
}
