#if Server
    /// What is removed by itself: the sessions that were heard from longest ago, by the server's clock. Never one that is
    /// kept, whose app is connected, or where new runs start.
    package struct Retention: Sendable, Equatable {
        /// Days after which a session goes that was not heard from; nil keeps them.
        package var keepDays: Int?
        /// Bytes that the archive's pages may take; nil lets it grow.
        package var maxSize: Int?

        package init(keepDays: Int? = nil, maxSize: Int? = nil) {
            self.keepDays = keepDays
            self.maxSize = maxSize
        }

        private static let day = 86_400_000

        /// What has to go now, the session that was heard from longest ago first.
        ///
        /// - Parameter now: In ms since 1970.
        func plan(
            _ archive: any Archive, now: Int, isConnected: (_ session: String) -> Bool
        ) throws -> [Removal] {
            guard keepDays != nil || maxSize != nil else { return [] }
            let oldest = keepDays.map { now - $0 * Self.day } ?? .min
            var excess = try maxSize.map { try archive.size() - $0 } ?? 0
            var removals: [Removal] = []
            for session in try archive.expendable(uploadedBefore: now - Self.day) {
                let isOld = session.lastSeen < oldest
                guard isOld || excess > 0 else { break }
                if isConnected(session.id) { continue }
                let bytes = try archive.size(of: session.row)
                excess -= bytes
                removals.append(Removal(session: session, reason: isOld ? .age : .size, bytes: bytes))
            }
            return removals
        }
    }

    /// A session that retention may remove.
    struct Expendable: Sendable {
        let row: Int64
        let id: String
        let app: String
        let lastSeen: Int
        let events: Int
    }

    /// One that it removes.
    struct Removal: Sendable {
        enum Reason: String, Sendable { case age, size }

        let session: Expendable
        let reason: Reason
        /// What it takes in the archive, about.
        let bytes: Int
    }
#endif
