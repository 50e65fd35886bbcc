/// Knows the newest connection of each session. Data of an abandoned connection may arrive after the hello of the
/// next one. It must not take the session back.
struct Claims {
    private struct Name: Hashable {
        let session: String
        /// Part of the name, so that an app with another key can't affect this app's claims.
        let key: String
    }

    private struct Claim {
        let attempt: Int
        let owner: String
    }

    private var claims: [Name: Claim] = [:]

    /// Claims a session for a connection that has sent a hello.
    ///
    /// - Returns: False if the same app has already made a newer connection.
    mutating func claim(_ session: String, key: String, attempt: Int, owner: String) -> Bool {
        let name = Name(session: session, key: key)
        if let newest = claims[name], newest.attempt >= attempt { return false }
        claims[name] = Claim(attempt: attempt, owner: owner)
        return true
    }

    /// Removes the claim of a connection that has ended.
    mutating func release(_ session: String, key: String, owner: String) {
        let name = Name(session: session, key: key)
        if claims[name]?.owner == owner { claims[name] = nil }
    }
}
