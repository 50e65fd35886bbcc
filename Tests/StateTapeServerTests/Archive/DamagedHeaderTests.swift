import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeEngine

/// A stored header or place that can't be read stays as it is, whatever is written to the session.
@Suite(.timeLimit(.minutes(2))) struct DamagedHeaderTests {
    private static let damages = [
        (name: "its first byte", sqlite: "'[' || substr(header, 2)", postgres: "set_byte(header, 0, 91)"),
        (
            name: "a byte of a text", sqlite: "CAST(replace(CAST(header AS BLOB), 'Todo', x'54ff646f') AS TEXT)",
            postgres: "convert_to(convert_from(header, 'UTF8'), 'UTF8') || '\\xff'"
        ),
        (name: "all of it", sqlite: "x'00ff'", postgres: "'\\x00ff'"),
    ]

    @Test("No write replaces a damaged header", arguments: Engine.allCases)
    func writes(_ engine: Engine) throws {
        for (name, sqlite, postgres) in Self.damages {
            let folder = try TestArchive(engine)
            let archive = folder.archive
            let header = Sample.header(device: "phone", labels: ["branch": "main"])
            let session = try folder.record(Sample.counting(to: 5), header)
            let raw = RawArchive(archive: archive)
            try raw.run("UPDATE session SET header = \(raw.isSQLite ? sqlite : postgres)")
            let stored = { try archive.rows(.session, .session(session.row)).first?.bytes("header") }
            let damaged = try #require(try stored())
            #expect(try #require(try archive.session(header.session)).isHeaderDamaged, "\(name)")
            #expect(try archive.sessions(SessionQuery()).sessions.map(\.id) == [header.session], "\(name)")
            for query in [SessionQuery(text: "counter"), SessionQuery(labels: [("branch", "main")])] {
                #expect(throws: Never.self) { try archive.sessions(query) }
            }

            #expect(throws: DamagedSession.self) {
                try archive.edit(session.row, title: nil, labels: ["a": "b"], kept: nil)
            }
            #expect(throws: DamagedSession.self) { try archive.show(session.row, labels: ["a": "b"]) }
            try archive.edit(session.row, title: "A title", labels: nil, kept: true)
            #expect(try archive.session(header.session)?.title == "A title")
            // The app connects again, with other labels, and records on.
            var second = header
            second.labels["run"] = "2"
            let opening = SessionOpening(header: second, keyHash: Sample.key, owner: "two")
            guard case .opened(let again)? = try archive.commit([.open(opening)], received: 5).first else {
                throw Ended(description: "refused")
            }
            let batch = Batch(session: again.row, owner: "two", lines: [Sample.count(again.next, to: 5)])
            guard case .appended? = try archive.commit([.append(batch)], received: 6).first else {
                throw Ended(description: "dropped")
            }
            let claim = SessionLease(header: second, owner: "three", before: "two")
            _ = try archive.commit([.claim(claim)], received: 7)
            _ = try archive.name(device: "phone", "Nick", most: 3)
            try archive.endReplays()
            #expect(try stored() == damaged, "\(name)")
        }
    }

    @Test("An app can't append where a damaged place says", arguments: Engine.allCases)
    func place(_ engine: Engine) throws {
        for damage in ["next = -600", "sealed = next + 1"] {
            let folder = try TestArchive(engine)
            let session = try folder.record(Sample.counting(to: 5))
            try RawArchive(archive: folder.archive).run(
                "UPDATE \(engine == .sqlite ? "session" : "progress") SET \(damage)")
            let opening = SessionOpening(header: session.header, keyHash: Sample.key, owner: "two")
            #expect(throws: DamagedSession.self, "\(damage)") {
                try folder.archive.commit([.open(opening)], received: 5)
            }
        }
    }
}
