import Foundation
import GRDB
import InMemoryLogging
import Logging
import SampleTapes
import Testing

@testable import StateTapeServer
@testable import TapeArchive

/// What a server says of damage that nobody asks for.
@Suite(.timeLimit(.minutes(1)), .enabled(if: Engine.isSQLite)) struct DamageWatchTests {
    enum Place: CaseIterable {
        case searches, pages

        var sentence: String {
            switch self {
            case .searches: "The archive's index for searches was damaged, and was made anew."
            case .pages: "copies what can be read to a new folder."
            }
        }
    }

    @Test("A server that has started says what is damaged in its archive", arguments: Place.allCases)
    func told(_ place: Place) async throws {
        let archive = try TestArchive(.sqlite)
        let session = try archive.record(Sample.counting(to: 600))
        _ = try archive.archive.mark(session.row, .init(seq: 3, text: "here", author: nil), made: 1, most: 9)
        try archive.archive.close()
        try damage(place, archive.folder.url.appendingPathComponent(DataFolder.archive))
        let log = InMemoryLogHandler()
        var configuration = Configuration(data: archive.folder.url)
        configuration.port = 0
        let server = try Server(configuration, logger: Logger(label: "test") { _ in log })
        defer { server.stop() }
        while !log.entries.contains(where: { "\($0.message)".hasSuffix(place.sentence) }) {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    private func damage(_ place: Place, _ file: URL) throws {
        let queue = try DatabaseQueue(path: file.path)
        let page = try queue.write { db in
            if place == .searches { try db.execute(sql: "INSERT INTO wordText(wordText) VALUES ('delete-all')") }
            return try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'batch'") ?? 0
        }
        try queue.close()
        guard place == .pages else { return }
        let handle = try FileHandle(forWritingTo: file)
        try handle.seek(toOffset: UInt64(page - 1) * 4_096)
        try handle.write(contentsOf: Data(repeating: 7, count: 4_096))
        try handle.close()
    }
}
