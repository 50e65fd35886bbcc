#if Server
    /// Which sessions are removed: the least recently active first. Never one that is kept, whose app is connected, or
    /// where new runs start.
    package struct Retention: Sendable, Equatable {
        /// Days after which a session goes that was not heard from; nil keeps them.
        package var keepDays: Int?
        /// Bytes that the archive's pages may take; nil lets it grow.
        package var maxSize: Int?
        /// Whether the newest session of each app stays.
        package var sparesNewest: Bool

        package init(keepDays: Int? = nil, maxSize: Int? = nil, sparesNewest: Bool = false) {
            self.keepDays = keepDays
            self.maxSize = maxSize
            self.sparesNewest = sparesNewest
        }

        /// Whether nothing is ever removed.
        var isOff: Bool { keepDays == nil && maxSize == nil }

        private static let day = 86_400_000

        /// What has to go now.
        ///
        /// - Parameters:
        ///   - sessions: Those that may go, the least recently active first.
        ///   - size: Bytes that the archive takes with them.
        ///   - now: In ms since 1970.
        ///   - bytes: What a session takes, about.
        func plan(
            _ sessions: [Expendable], size: Int, now: Int, isConnected: (_ session: String) -> Bool,
            bytes: (Expendable) throws -> Int
        ) rethrows -> RemovalPlan {
            var plan = RemovalPlan(size: size)
            let oldest = keepDays.map { now - $0 * Self.day } ?? .min
            for session in sessions {
                let isOld = session.lastSeen < oldest
                guard isOld || maxSize.map({ size - plan.bytes > $0 }) ?? false else { break }
                if isConnected(session.id) || sparesNewest && session.isNewest { continue }
                // Estimates may sum up to more than there is.
                let bytes = min(try bytes(session), size - plan.bytes)
                plan.removals.append(Removal(session: session, reason: isOld ? .age : .size, bytes: bytes))
                plan.bytes += bytes
            }
            return plan
        }

        /// When an upload that isn't complete counts as a session: a day after it was last heard from.
        static func uploadedBefore(_ now: Int) -> Int { now - day }
    }

    /// What retention removes, and what the archive takes before: figures of one moment.
    struct RemovalPlan: Sendable {
        /// Bytes of the archive.
        let size: Int
        var removals: [Removal] = []
        /// Bytes of the removals together, never more than `size`.
        var bytes = 0

        /// The part of it that `isIncluded` names.
        func filter(_ isIncluded: (Removal) -> Bool) -> RemovalPlan {
            let rest = removals.filter(isIncluded)
            return RemovalPlan(size: size, removals: rest, bytes: rest.reduce(0) { $0 + $1.bytes })
        }
    }

    /// A session that retention may remove.
    struct Expendable: Sendable {
        let row: Int64
        let id: String
        let app: String
        let lastSeen: Int
        let events: Int
        /// Whether no session of its app was heard from later.
        let isNewest: Bool
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
