import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive

/// A check of an archive that a server changes meanwhile.
@Suite(.timeLimit(.minutes(2))) struct LiveCheckTests {
    enum Change: CaseIterable {
        case events, seal, delete, bookmark
    }

    /// The problems of a session that changes when its first events have been read.
    private func problems(_ change: Change, after damage: String? = nil) throws -> [String] {
        let archive = try TestArchive()
        defer { try? archive.archive.close() }
        // Without a server, a check reads the files as they were.
        let folder = try DataFolder(archive.folder.url)
        defer { folder.unlock() }
        let session = try archive.record(Sample.counting(to: 600), batches: 100)
        if let damage { try RawArchive(archive: archive.archive).run(damage) }
        var isChanged = false
        return try archive.problems {
            if isChanged { return }
            isChanged = true
            switch change {
            case .events:
                let lines = [Sample.start(600, store: "cart"), Sample.count(601, to: 1, store: "cart")]
                let batch = Batch(session: session.row, owner: "one", lines: lines)
                _ = try archive.archive.commit([.append(batch)], received: 0)
            case .seal: try archive.seal(session)
            case .delete: try archive.archive.delete(session)
            case .bookmark:
                _ = try archive.archive.mark(session.row, .init(seq: 3, text: "here", author: nil), made: 1, most: 9)
            }
        }
    }

    @Test("It tells nothing of the change", arguments: Change.allCases)
    func unchanged(_ change: Change) throws {
        #expect(try problems(change) == [])
    }

    @Test("It tells what is damaged all the same, once", arguments: [Change.events, .seal, .bookmark])
    func damaged(_ change: Change) throws {
        let problems = try problems(change, after: "UPDATE session SET app = 'another' WHERE row = 1")
        #expect(problems.count == 1 && problems[0].contains("its header says"), "\(problems)")
    }
}
