import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeEngine

/// SQLite ends its log at the first damaged frame, without a word.
@Suite(.timeLimit(.minutes(2))) struct LostEventsTests {
    /// A folder as a killed process leaves it, of which the last frames of the log are damaged.
    ///
    /// - Returns: The folder, and the seqs that were acknowledged and are lost.
    private func damaged() throws -> (folder: TemporaryFolder, lost: Range<Int>) {
        let killed = TemporaryFolder()
        let sound = try TestArchive(.sqlite)
        // One commit for each batch, so that the log ends between two.
        _ = try sound.record(Sample.counting(to: 40), batches: 1)
        try FileManager.default.copyItem(at: sound.folder.url, to: killed.url)
        try? FileManager.default.removeItem(at: killed.url.appendingPathComponent("archive.sqlite-shm"))
        let log = killed.url.appendingPathComponent("archive.sqlite-wal")
        let handle = try FileHandle(forUpdating: log)
        let end = try handle.seekToEnd()
        try handle.seek(toOffset: end / 4_120 / 2 * 4_120 + 32 + 1_000)
        try handle.write(contentsOf: Data([0xee, 0xee]))
        try handle.close()
        let archive = try Engine.sqlite.open(killed.url)
        let lost = try #require(archive.lost.first)
        #expect(archive.lost.count == 1 && lost.session == Sample.header().session)
        #expect(try archive.session(lost.session)?.next == lost.seqs.lowerBound)
        #expect(lost.seqs.upperBound == 40 && lost.seqs.lowerBound < 39)
        try archive.close()
        return (killed, lost.seqs)
    }

    private func lines(_ archive: any Archive) throws -> [EventLine] {
        let session = try #require(try archive.session(Sample.header().session))
        var lines: [EventLine] = []
        try Tapes(archive)[session].each(in: 0..<session.next) {
            lines.append($0)
            return true
        }
        return lines
    }

    @Test("A confirmed change that a damaged log has lost is told once by a server, and by each check until then")
    func edits() throws {
        let (sound, killed) = (try TestArchive(.sqlite), TemporaryFolder())
        let row = try sound.record(Sample.counting(to: 4)).row
        let log = "archive.sqlite-wal"
        let end = try Data(contentsOf: sound.folder.url.appendingPathComponent(log)).count
        _ = try sound.archive.mark(row, .init(seq: 1, text: "here", author: nil), made: 1, most: 9)
        try sound.archive.edit(row, title: "Login", labels: nil, kept: true)
        try FileManager.default.copyItem(at: sound.folder.url, to: killed.url)
        try? FileManager.default.removeItem(at: killed.url.appendingPathComponent("archive.sqlite-shm"))
        let handle = try FileHandle(forUpdating: killed.url.appendingPathComponent(log))
        try handle.truncate(atOffset: UInt64(end))
        try handle.close()
        func check() throws -> [String] {
            var problems: [String] = []
            _ = try ArchiveCheck.run(
                .folder(killed.url), logger: PrivatePostgres.logger, tell: { problems.append($0) }, progress: { _ in })
            return problems
        }
        for _ in 0..<2 { #expect(try check() == ["the log: " + LostEdits.text(2)]) }
        var archive = try SQLiteArchive(killed.url.appendingPathComponent("archive.sqlite"), sync: .normal)
        #expect(archive.lostEdits == 2 && archive.lost.isEmpty)
        try archive.close()
        archive = try SQLiteArchive(killed.url.appendingPathComponent("archive.sqlite"), sync: .normal)
        #expect(archive.lostEdits == 0)
        try archive.close()
        #expect(try check() == [])
    }

    @Test("What a damaged log has lost stays known until a gap is in its place")
    func gap() throws {
        let (folder, lost) = try damaged()
        for _ in 0..<2 {
            let archive = try Engine.sqlite.open(folder.url)
            #expect(archive.lost.map(\.seqs) == [lost])
            // Not while its app is connected.
            #expect(try archive.fillLost { _ in true }.isEmpty)
            try archive.close()
        }
        let archive = try Engine.sqlite.open(folder.url)
        #expect(try archive.fillLost { _ in false }.map(\.seqs) == [lost])
        #expect(try archive.fillLost { _ in false }.isEmpty)
        let last = try #require(try lines(archive).last)
        #expect(last.kind == .gap && last.first == lost.lowerBound && last.seq == 39 && last["reason"] == "damaged")
        try archive.close()
        let again = try Engine.sqlite.open(folder.url)
        #expect(again.lost == [])
        try again.close()
    }

    @Test("A server tells it, and an app sends again what it has")
    func resent() async throws {
        let (folder, lost) = try damaged()
        let server = try TestServer(in: folder) { $0.timing.refill = .zero }
        try await server.until {
            try await $0.get(TestServer.session).json()["events"] == 40
        }
        let gap = try await server.http.get(TestServer.session + "/events/39").json()
        #expect(gap["event"] == "gap" && gap["count"] == .number(.init(lost.count)))
        server.server.stop()

        let (other, place) = try damaged()
        let slow = try Engine.sqlite.open(other.url)
        let opening = SessionOpening(header: Sample.header(), keyHash: Sample.key, owner: "again")
        guard case .opened(let session)? = try slow.commit([.open(opening)], received: 1).first else {
            throw Ended(description: "refused")
        }
        // Its welcome says so.
        #expect(session.next == place.lowerBound)
        let rest = Array(Sample.counting(to: 40)[place.lowerBound...])
        _ = try slow.commit([.append(Batch(session: session.row, owner: "again", lines: rest))], received: 2)
        #expect(try slow.fillLost { _ in false }.isEmpty)
        #expect(try lines(slow).map(\.bytes) == Sample.counting(to: 40).map(\.bytes))
        try slow.close()
        let last = try Engine.sqlite.open(other.url)
        #expect(last.lost == [])
        try last.close()
    }

    @Test("Of a file that is nearly all holes, only what was written is read", .timeLimit(.minutes(1)))
    func sparse() throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let path = folder.url.appendingPathComponent(DataFolder.acknowledged).path
        let session = try TestArchive(.sqlite).record(Sample.counting(to: 3))
        let file = try Acknowledged(path, of: "archive")
        let end = Acknowledged.End(id: session.id, next: 3)
        // The last row is 96 GiB from the start.
        let rows: [Int64] = [0, 1, 41, 5_000, 1 << 30]
        file.keep(Dictionary(uniqueKeysWithValues: rows.map { ($0, end) }))
        #expect(truncate(path, 1 << 40) == 0)
        #expect(try Acknowledged.read(path) == Dictionary(uniqueKeysWithValues: rows.map { ($0, end) }))
    }

    @Test("Nothing is noted of a deleted session that was written before")
    func forgotten() throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let path = folder.url.appendingPathComponent(DataFolder.acknowledged).path
        let session = try TestArchive(.sqlite).record(Sample.counting(to: 3))
        let file = try Acknowledged(path, of: "archive")
        file.note(session, next: 3)
        file.noteDeleted(session.id, row: session.row)
        file.note(Batch(session: session.row, owner: session.owner, lines: Sample.counting(to: 3)))
        #expect(try Acknowledged.read(path)[session.row]?.isDeleted == true)
    }

    @Test("A deleted session isn't lost")
    func deleted() throws {
        let archive = try TestArchive(.sqlite)
        let session = try archive.record(Sample.counting(to: 3))
        try archive.archive.delete(session)
        while try archive.archive.sweep() {}
        let copy = TemporaryFolder()
        try FileManager.default.copyItem(at: archive.folder.url, to: copy.url)
        let again = try Engine.sqlite.open(copy.url)
        #expect(again.lost == [])
        try again.close()
    }
}
