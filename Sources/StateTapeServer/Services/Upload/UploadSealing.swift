import TapeArchive
import TapeEngine
import TapeFormat

/// Seals the lines of a long upload as they arrive: as soon as the session is shown, each of its states is near a
/// keyframe. The sealer, which works in the background, would take its time on a busy server.
///
/// It gives up on the first line that needs more than following, and leaves the rest to the sealer.
struct UploadSealing {
    /// Of the states and lines of one upload.
    private static let maxCost = 32 << 20

    private let uploads: Uploads
    private let tape: ArchivedTape
    private let place: UploadSealingPlaces.Place
    private var followed: FollowedTape
    /// Of lines that are not committed yet.
    private var seals: [Seal] = []
    private var replies: [Reply<Result<Outcome, any Error>>] = []

    /// Nil if too many uploads are sealed already, or if the session's lines can't be followed.
    init?(_ uploads: Uploads, _ session: Session) {
        guard let place = uploads.sealing.take() else { return nil }
        let tape = uploads.tapes[session]
        guard let followed = try? FollowedTape(tape, uploads.archive, uploads.states, isAhead: true) else { return nil }
        (self.uploads, self.place, self.tape, self.followed) = (uploads, place, tape, followed)
    }

    /// The chunks that the next lines fill.
    ///
    /// - Throws: If the sealer has to do it.
    mutating func follow(_ lines: [EventLine]) throws -> [Seal] {
        let seals = try lines.compactMap { try followed.take($0, tape, uploads.states) }
        guard followed.cost < Self.maxCost else { throw TooCostly() }
        return seals
    }

    /// Keeps chunks until their lines are committed.
    mutating func hold(_ seals: [Seal]) {
        self.seals += seals
    }

    /// Commits the chunks that are held.
    ///
    /// - Returns: False if an earlier one was not stored.
    mutating func commit() -> Bool {
        let isSealed = replies.allSatisfy {
            if case .success(.sealed) = $0.wait() { true } else { false }
        }
        replies = []
        guard isSealed else { return false }
        for seal in seals {
            replies.append(.make { _ = uploads.committer.add(.seal(seal), ChangeReply($0)) })
        }
        seals = []
        return true
    }

    /// Seals the last lines, and waits until all is stored.
    mutating func finish() {
        guard commit(), let last = try? followed.seal(tape.session) else { return }
        hold([last])
        if commit() { _ = commit() }
    }

    private struct TooCostly: Error {}
}

/// How many uploads may be sealed as they arrive: each holds its states.
final class UploadSealingPlaces: Sendable {
    private static let most = 2
    private let taken = Locked(0)

    /// A place, until it is released.
    final class Place: Sendable {
        private let places: UploadSealingPlaces

        fileprivate init(_ places: UploadSealingPlaces) {
            self.places = places
        }

        deinit {
            places.taken.withLock { $0 -= 1 }
        }
    }

    /// Nil if there is none.
    func take() -> Place? {
        let isFree = taken.withLock { taken in
            guard taken < Self.most else { return false }
            taken += 1
            return true
        }
        return isFree ? Place(self) : nil
    }
}
