#if Server
    /// Takes the body of one request piece by piece, where a ``Service`` gives one for it.
    ///
    /// Called off the loop's thread, one call after the other. Who takes holds the exchange, and may answer it before the
    /// end: what still comes is then read and forgotten.
    package protocol BodyTaker: AnyObject, Sendable {
        /// A piece, in order, not empty. Until it returns little more is read.
        func take(_ piece: [UInt8])
        /// The body is complete, and every piece of it done with.
        func end()
        /// The peer has gone before the end; there is nobody left to answer.
        func broke()
    }

    /// How the body of a request is taken that isn't gathered whole.
    package struct BodyIntake: Sendable {
        /// Bytes of the longest body; past it the answer is 413, before any of it is read.
        let limit: Int
        /// Makes the taker, on the loop's thread. The exchange's own `body` stays empty.
        let begin: @Sendable (HTTPExchange) -> any BodyTaker

        package init(limit: Int, begin: @escaping @Sendable (HTTPExchange) -> any BodyTaker) {
            self.limit = limit
            self.begin = begin
        }
    }
#endif
