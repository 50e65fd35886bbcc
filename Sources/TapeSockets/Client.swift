/// WebSocket connections to other machines.
package enum Client {
    /// Begins to connect, and returns at once; the handler hears `opened`, or `closed` with no code and the reason.
    ///
    /// - Parameters:
    ///   - loop: The loop that the connection lives on.
    ///   - url: `ws://` or `wss://`, with path and query.
    ///   - subprotocol: The one offered; empty offers none.
    ///   - headers: Sent with the upgrade, e.g. `Authorization`.
    ///   - maxMessage: Bytes of the longest message taken; past it the connection is closed with 1009.
    ///   - authority: A PEM file of certificates to trust instead of the system's.
    ///   - handler: What hears of the connection.
    @discardableResult
    package static func connect(
        on loop: EventLoop, to url: String, subprotocol: String, headers: [(String, String)] = [],
        maxMessage: Int = 16 << 20, authority: String? = nil, handler: any ConnectionHandler
    ) -> Connection {
        Connection(peer: "")
    }
}
