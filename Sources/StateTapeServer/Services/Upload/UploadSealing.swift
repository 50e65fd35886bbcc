import Dispatch
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
        guard let followed = try? FollowedTape(tape, uploads.archive, uploads.states, isAhead: true),
            followed.cost <= Self.maxCost
        else { return nil }
        (self.uploads, self.place, self.tape, self.followed) = (uploads, place, tape, followed)
    }

    /// The chunks that the next lines fill.
    ///
    /// - Throws: If the sealer has to do it.
    mutating func follow(_ lines: [EventLine]) throws -> [Seal] {
        try lines.compactMap { line in
            // One line may have a large state.
            if line.seq % 64 == 0 || line.bytes.count > 1 << 16, followed.cost > Self.maxCost { throw TooCostly() }
            return try followed.take(line, tape, uploads.states)
        }
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
            // A full disk may keep it waiting. All lines are stored by then, and the sealer goes on.
            if case .success(.sealed) = $0.wait(atMost: .seconds(10)) { true } else { false }
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
