/// Processes the body of a request piece by piece, if a ``Service`` provides one.
///
/// Called off the loop's thread, never concurrently. The taker holds the exchange and may answer before the end of
/// the body. The rest of the body is then read and ignored.
package protocol BodyConsumer: AnyObject, Sendable {
    /// Processes a piece, in order and not empty. Reading slows down until it returns.
    func take(_ piece: [UInt8])
    /// The body is complete and every piece was processed.
    func end()
    /// The peer disconnected before the end, so no answer is possible. Every piece that arrived was processed.
    func peerDisconnected()
}

/// How to process a request's body piece by piece.
package struct BodyIntake: Sendable {
    /// Bytes of the longest body. A longer one is answered with 413 before it is read.
    let limit: Int
    /// Creates the taker, on the loop's thread. The exchange's own `body` stays empty.
    let begin: @Sendable (HTTPExchange) -> any BodyConsumer

    package init(limit: Int, begin: @escaping @Sendable (HTTPExchange) -> any BodyConsumer) {
        self.limit = limit
        self.begin = begin
    }
}
