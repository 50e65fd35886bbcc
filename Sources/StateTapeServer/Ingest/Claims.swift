#if Server
    /// Which connection of a session is the newest. What an app sent before it gave up a connection may arrive after the
    /// hello of its next one, and must not take the session from it.
    struct Claims {
        private struct Name: Hashable {
            let session: String
            /// A stranger's claims count among strangers.
            let key: String
        }

        private struct Claim {
            let attempt: Int
            let owner: String
        }

        private var claims: [Name: Claim] = [:]

        /// Claims a session for a connection that has said hello.
        ///
        /// - Returns: False if a newer one of the same app is there.
        mutating func claim(_ session: String, key: String, attempt: Int, owner: String) -> Bool {
            let name = Name(session: session, key: key)
            if let newest = claims[name], newest.attempt >= attempt { return false }
            claims[name] = Claim(attempt: attempt, owner: owner)
            return true
        }

        /// The connection is gone.
        mutating func release(_ session: String, key: String, owner: String) {
            let name = Name(session: session, key: key)
            if claims[name]?.owner == owner { claims[name] = nil }
        }
    }
#endif
