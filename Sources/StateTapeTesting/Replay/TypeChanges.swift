import TapeFormat

/// What has changed in the types since the tape was recorded.
struct TypeChanges {
    /// What a change means for the replay, the worst last.
    enum Rating: String, Comparable {
        /// The tape lacks a member, and the app's initial state has its value.
        case fine
        /// The tape has a value that the type doesn't read.
        case risky
        /// The value doesn't decode.
        case impossible

        static func < (left: Rating, right: Rating) -> Bool {
            let order: [Rating] = [.fine, .risky, .impossible]
            return order.firstIndex(of: left) ?? 0 < order.firstIndex(of: right) ?? 0
        }
    }

    private struct Change {
        let rating: Rating
        /// “state” or the action's type, with the place.
        let what: String
        let why: String
        let first: Int
        var count = 1
    }

    private var changes: [String: Change] = [:]

    var isEmpty: Bool { changes.isEmpty }
    var isPossible: Bool { !changes.values.contains { $0.rating == .impossible } }

    mutating func add(_ rating: Rating, _ what: String, _ why: String, at seq: Int) {
        let key = "\(rating.rawValue) \(what) \(why)"
        if changes[key] == nil {
            changes[key] = Change(rating: rating, what: what, why: why, first: seq)
        } else {
            changes[key]?.count += 1
        }
    }

    /// The changes as lines, the worst first.
    var lines: [String] {
        changes.values.sorted { ($1.rating, $0.first, $0.what) < ($0.rating, $1.first, $1.what) }.map { change in
            let events = change.count == 1 ? "event \(change.first)" : "\(change.count) events, first \(change.first)"
            return "  \(change.rating.rawValue): \(change.what): \(change.why) (\(events))"
        }
    }
}
