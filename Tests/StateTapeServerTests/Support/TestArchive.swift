import Foundation
import SampleTapes
import TapeFormat

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeEngine

/// An archive in a folder of its own, with its readers.
final class TestArchive: Sendable {
    let folder = TemporaryFolder()
    let archive: any Archive
    let tapes: Tapes
    let states: States

    init(_ engine: Engine = .chosen, maxState: Int = Limits.state) throws {
        archive = try engine.open(folder.url)
        tapes = Tapes(archive)
        states = States(maxState: maxState)
    }

    /// A session with these lines, committed in batches of this size.
    func record(_ lines: [EventLine], _ header: Header = Sample.header(), batches: Int = 1_000) throws -> Session {
        let opening = SessionOpening(header: header, keyHash: Sample.key, owner: "one")
        guard case .opened(let session)? = try archive.commit([.open(opening)], received: 0).first else {
            throw Ended(description: "the session is refused")
        }
        for start in stride(from: 0, to: lines.count, by: batches) {
            let lines = Array(lines[start..<min(lines.count, start + batches)])
            _ = try archive.commit(
                [.append(Batch(session: session.row, owner: "one", lines: lines))], received: 0)
        }
        guard let recorded = try archive.session(header.session), recorded.next == (lines.last?.seq ?? -1) + 1
        else { throw Ended(description: "the lines are refused") }
        return recorded
    }

    /// Seals all lines of a session.
    func seal(_ session: Session) throws {
        var followed = try FollowedTape(tapes[session], archive, states)
        var seals: [Seal] = []
        try tapes[session].each(in: followed.next..<session.next) { line in
            seals += try followed.take(line, tapes[session], states).map { [$0] } ?? []
            return true
        }
        seals += try followed.seal(session).map { [$0] } ?? []
        for outcome in try archive.commit(seals.map { .seal($0) }, received: 0) {
            guard case .sealed = outcome else { throw Ended(description: "the lines are not sealed") }
        }
    }

    /// The problems that `statetape check` reports.
    ///
    /// - Parameter progress: Called now and then while it runs.
    func problems(progress: () throws -> Void = {}) throws -> [String] {
        var problems: [String] = []
        try withoutActuallyEscaping(progress) { progress in
            _ = try ArchiveCheck.run(
                Engine.chosen.address(for: folder.url), logger: PrivatePostgres.logger, tell: { problems.append($0) },
                progress: { _ in try progress() })
        }
        return problems
    }

    func scan(_ session: Session, from seq: Int = 0, _ filter: EventFilter = EventFilter()) -> EventScan {
        EventScan(tapes[session], from: seq, filter)
    }
}

extension Sample {
    /// The digest of an app's key.
    static let key = [UInt8](repeating: 1, count: 32)
}
