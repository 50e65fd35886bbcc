import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeArchivePostgres

@Suite("Sessions that several servers delete, record and upload at once", .timeLimit(.minutes(2)))
struct SharedDeletionTests {
    private let tables = [
        "batch", "chunk", "head", "keyframe", "base", "name", "word", "bookmark", "trouble", "label",
    ]

    private func group() throws -> ServerGroup {
        try ServerGroup { $1.timing.retention = .milliseconds(200) }
    }

    /// Returns once the space of all deleted sessions is freed.
    private func expectFreed(_ group: ServerGroup) async throws {
        let left = "SELECT count(*) AS count FROM deleted WHERE row IS NOT NULL"
        while try group.run(left)[0].int("count") > 0 { try Task.checkCancellation() }
        for table in tables + ["progress"] {
            let orphans = "SELECT count(*) AS count FROM \(table) WHERE session NOT IN (SELECT row FROM session)"
            #expect(try group.run(orphans)[0].int("count") == 0, "\(table)")
        }
    }

    @Test("A session that is deleted while another server records and seals it is gone, with all its rows")
    func recorded() async throws {
        let group = try group()
        for round in 0..<8 {
            let header = Sample.header("SESSION-\(1_000 + round)")
            let app = await group.a.app(Sample.hello(header))
            _ = try await app.welcome()
            async let end: UInt16? = {
                for start in stride(from: 0, to: 100_000, by: 100) {
                    app.send(
                        (start..<start + 100).map { ($0 == 0 ? Sample.start(0) : Sample.count($0, to: $0)).bytes })
                    guard (try? await app.acknowledged(start + 100)) != nil else { break }
                }
                return await app.closed().code
            }()
            let path = "/api/v1/sessions/\(header.session)"
            try await group.b.until { try await $0.get(path).json()["events"]?.int ?? 0 > 200 * round }
            #expect(try await group.b.http.send("DELETE", path).status == 204)
            #expect(await end == 4010)
            #expect(try await group.a.http.get(path).status == 404)
        }
        try await expectFreed(group)
    }

    @Test("A session that is deleted while another server takes an upload of it is whole or gone")
    func uploaded() async throws {
        let group = try group()
        for round in 0..<6 {
            let tape = SentTape(
                header: Sample.header("UPLOAD-\(1_000 + round)"), lines: Sample.counting(to: 6_000))
            let part = SentTape(header: tape.header, lines: Array(tape.lines[..<100]))
            #expect(try await group.b.http.send("POST", "/api/v1/sessions", bytes: part.bytes()).status == 201)
            let path = "/api/v1/sessions/\(tape.id)"
            async let rest = group.a.http.send("POST", "/api/v1/sessions", bytes: tape.bytes())
            if round % 2 == 1 {
                try await group.b.until { try await $0.get(path).json()["events"]?.int ?? 0 > 100 }
            }
            #expect(try await group.b.http.send("DELETE", path).status == 204)
            let status = try await rest.status
            let found = try await group.b.http.get(path + "/tape")
            #expect(found.status == 404 || status == 201 && tape.fault(in: Array(found.lines.dropFirst())) == nil)
        }
        try await expectFreed(group)
    }

    @Test("Two servers that prune at once delete each session once, and spare those with an app")
    func pruned() async throws {
        let group = try group()
        for number in 0..<20 {
            let hello = Sample.hello(Sample.header("SESSION-\(1_000 + number)"))
            try await group.servers[number % 2].recorded(Sample.counting(to: 20), hello).close()
        }
        let apps = [
            try await group.a.recorded(Sample.counting(to: 2), Sample.hello(Sample.header("LIVE-000001"))),
            try await group.b.recorded(Sample.counting(to: 2), Sample.hello(Sample.header("LIVE-000002"))),
        ]
        for server in group.servers {
            try await server.until { http in
                try await http.get("/api/v1/sessions?live=true").json()["sessions"]?.array?.count == 2
            }
        }
        let body: JSON = ["maxSize": 0, "all": true]
        async let (one, two) = (
            group.a.http.send("POST", "/api/v1/prune", body: body),
            group.b.http.send("POST", "/api/v1/prune", body: body)
        )
        let deleted = try await [one, two].flatMap { try $0.json()["sessions"]?.array ?? [] }
        #expect(deleted.count == 20 && Set(deleted.compactMap { $0["session"]?.string }).count == 20)
        let left = try await group.a.http.get("/api/v1/sessions").json()["sessions"]?.array
        #expect(Set((left ?? []).compactMap { $0["session"]?.string }) == ["LIVE-000001", "LIVE-000002"])
        try await expectFreed(group)
        for app in apps { app.close() }
    }
}
