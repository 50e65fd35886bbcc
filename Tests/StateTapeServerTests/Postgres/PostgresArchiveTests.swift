#if Server
    import Foundation
    import SampleTapes
    import TapeFormat
    import Testing

    @testable import StateTapeServer
    @testable import TapeEngine

    @Suite struct PostgresArchiveTests {
        private func open(_ address: String) throws -> PostgresArchive {
            try PostgresArchive(PostgresAddress(address), sync: .full, logger: PrivatePostgres.logger)
        }

        @Test("Committed data is unchanged after the archive is closed and opened again")
        func reopen() throws {
            let address = try PrivatePostgres.shared.get().makeDatabase()
            let lines = Sample.counting(to: 1_000) + [Sample.gap(1_009, count: 10), Sample.end(1_010)]
            var archive = try open(address)
            let opening = Opening(header: Sample.header(), keyHash: [1], owner: "one")
            guard case .opened(let session)? = try archive.commit([.open(opening)], received: 1_000).first else {
                return #expect(Bool(false))
            }
            for start in stride(from: 0, to: lines.count, by: 300) {
                let batch = Batch(
                    session: session.row, owner: "one", lines: Array(lines[start..<min(start + 300, lines.count)]))
                guard case .appended? = try archive.commit([.append(batch)], received: 2_000).first else {
                    return #expect(Bool(false))
                }
            }
            try archive.close()
            archive = try open(address)
            let kept = try #require(try archive.session(session.id))
            var found: [EventLine] = []
            try Tapes(archive)[kept].each(in: 0..<Int.max) { line in
                found.append(line)
                return true
            }
            #expect(found.map(\.bytes) == lines.map(\.bytes))
            #expect(kept.next == 1_011 && kept.ended == "closed" && !kept.complete && kept.duration == 1_010)
            #expect(kept.received == 1_000 && kept.lastSeen == 2_000)
            #expect(kept.bytes == lines.reduce(0) { $0 + $1.bytes.count + 1 })
            #expect(kept.header == Sample.header())
        }
    }
#endif
