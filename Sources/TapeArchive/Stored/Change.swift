package import TapeFormat

/// One change of a group.
package enum Change: Sendable {
    case open(SessionOpening)
    case claim(SessionLease)
    case append(Batch)
    case seal(Seal)
    /// Changes nothing; shows whether the archive can be written.
    case probe
}

/// A connection's claim to a session. Only the last owner that opened a session may append to it.
package struct SessionOpening: Sendable {
    package let header: Header
    /// The hash of the app's key. Only the first key of a session can open it.
    package let keyHash: [UInt8]
    package let owner: String
    /// The number of the app's connection; nil if nobody counts.
    package var attempt: Int?

    package init(header: Header, keyHash: [UInt8], owner: String, attempt: Int? = nil) {
        (self.header, self.keyHash, self.owner, self.attempt) = (header, keyHash, owner, attempt)
    }
}

/// An upload's claim to a session. It needs no key, but fails if another owner claims the session first.
package struct SessionLease: Sendable {
    /// Has `from` and `states` if the tape is a part of a longer one.
    package let header: Header
    package let owner: String
    /// The owner to take the session from; nil creates a hidden session.
    package let before: String?

    package init(header: Header, owner: String, before: String?) {
        (self.header, self.owner, self.before) = (header, owner, before)
    }
}

/// Lines in seq order without holes, from one owner.
package struct Batch: Sendable {
    package let session: Int64
    package let owner: String
    package private(set) var lines: [EventLine]
    /// Bytes of the lines, each with a newline. Counted once, since it is often read.
    package private(set) var bytes: Int
    package var first: Int { lines.first?.first ?? 0 }
    package var next: Int { (lines.last?.seq ?? -1) + 1 }

    package init(session: Int64, owner: String, lines: [EventLine]) {
        self.session = session
        self.owner = owner
        self.lines = lines
        bytes = lines.indices.reduce(0) { $0 + lines[$1].bytes.count + 1 }
    }

    /// Appends the next batch of the same owner.
    package mutating func append(_ next: Batch) {
        lines += next.lines
        bytes += next.bytes
    }
}

package enum Outcome: Sendable {
    case opened(Session)
    /// The session belongs to another key or another owner.
    case refused
    /// The session was deleted; it can't be recorded again.
    case deleted
    case appended
    case sealed
    /// The owner lost the session, a newer connection has opened it, or the lines to seal are no longer the next
    /// ones. Nothing was stored.
    case dropped
}

extension Change {
    /// Bytes of the lines in the change.
    package var bytes: Int { if case .append(let batch) = self { batch.bytes } else { 0 } }
    package var events: Int { if case .append(let batch) = self { batch.lines.count } else { 0 } }

    /// The owner that added the change.
    package var owner: String {
        switch self {
        case .open(let opening): opening.owner
        case .claim(let claim): claim.owner
        case .append(let batch): batch.owner
        // A seal covers lines that are already committed, and a probe covers none: they need not wait for other
        // changes.
        case .seal, .probe: "seal"
        }
    }

    /// Adds the next batch of the same owner to this one.
    package mutating func append(_ next: Batch) {
        guard case .append(var batch) = self else { return }
        // Drops the second reference, so that the lines are appended in place.
        self = .append(Batch(session: batch.session, owner: batch.owner, lines: []))
        batch.append(next)
        self = .append(batch)
    }
}
