#if Server
    import Foundation
    import SampleTapes
    import TapeFormat
    import Testing

    @testable import StateTapeServer
    @testable import TapeEngine

    /// Values that are valid each on its own, but not together: a server must not delete anything because of them.
    @Suite(.timeLimit(.minutes(2))) struct ContradictionTests {
        private static let id = "SESSION-UPLOADED-0001"
        private let folder = TemporaryFolder()

        /// What an unfinished upload can't have.
        enum Sign: String, CaseIterable {
            case key, title, kept, paused, bookmark, replay, failure, launch

            func set(_ session: Session, _ archive: any Archive) throws {
                let (row, raw) = (session.row, RawArchive(archive: archive))
                switch self {
                case .key:
                    let key = raw.isSQLite ? "randomblob(32)" : "sha256('')"
                    try raw.run("UPDATE session SET key = \(key) WHERE row = \(row)")
                case .title: try archive.edit(row, title: "A title", labels: nil, kept: nil)
                case .kept: try archive.edit(row, title: nil, labels: nil, kept: true)
                case .paused: try archive.pause(row, true)
                case .bookmark:
                    _ = try archive.mark(row, Bookmark.Place(seq: 1, text: "here", author: nil), made: 1, most: 9)
                case .replay: try archive.keep(["status": "done"], of: row)
                case .failure: try archive.keep(Pushed.Failure(code: "broken", message: ""), ofStart: row)
                case .launch:
                    try archive.put(
                        StartState(
                            id: "start", app: session.header.app.id, device: nil, labels: [:], mode: .state,
                            session: session.id, seq: 1, once: false))
                }
            }
        }

        private func problems(_ address: ArchiveAddress) throws -> [String] {
            var found: [String] = []
            _ = try ArchiveCheck.run(
                address, logger: PrivatePostgres.logger, tell: { found.append($0) }, progress: { _ in })
            return found
        }

        /// Runs `body` with an archive of each engine.
        private func each(_ body: (any Archive, ArchiveAddress) throws -> Void) throws {
            for engine in Engine.allCases {
                let place = folder.url.appendingPathComponent(engine.rawValue)
                let archive = try engine.open(place)
                defer { try? archive.close() }
                try body(archive, engine.address(for: place))
            }
        }

        private func upload(_ id: String, to archive: any Archive) throws -> Session {
            let claim = Claim(header: Sample.header(id), owner: "upload", before: nil)
            guard case .opened(let session)? = try archive.commit([.claim(claim)], received: 1_000).first else {
                throw Ended(description: "the upload is refused")
            }
            let batch = Batch(session: session.row, owner: "upload", lines: Sample.counting(to: 3))
            _ = try archive.commit([.append(batch)], received: 1_000)
            return session
        }

        @Test(
            "A hidden session that can't be an unfinished upload is reported, and shown instead of deleted",
            arguments: Sign.allCases)
        func hidden(_ sign: Sign) throws {
            try each { archive, address in
                _ = try upload("SESSION-UNFINISHED-0001", to: archive)
                let session = try upload(Self.id, to: archive)
                try archive.show(session.row, labels: [:])
                try sign.set(session, archive)
                let raw = RawArchive(archive: archive)
                try raw.run("UPDATE session SET hidden = \(raw.isSQLite ? "1" : "true") WHERE row = \(session.row)")
                #expect(try problems(address).filter { $0.contains(Self.id) && $0.contains("“hidden”") }.count == 1)
                #expect(try archive.deleteUploads(before: .max) == [Self.id])
                while try archive.sweep() {}
                #expect(try archive.session(Self.id)?.next == 3)
                #expect(try archive.batch(of: session.row, from: 0, joinedTo: 0)?.next == 3)
                #expect(try archive.upload("SESSION-UNFINISHED-0001") == nil)
                #expect(try problems(address).filter { $0.contains("“hidden”") } == [])
            }
        }

        @Test("A launch state doesn't show an upload that replaces a deleted session, and keeps it from the sweep")
        func again() throws {
            try each { archive, address in
                let first = try upload(Self.id, to: archive)
                try archive.show(first.row, labels: [:])
                try Sign.launch.set(first, archive)
                try archive.delete(first)
                _ = try upload(Self.id, to: archive)
                #expect(try problems(address).filter { $0.contains("“hidden”") } == [])
                #expect(try archive.deleteUploads(before: .max) == [])
                #expect(try archive.upload(Self.id)?.hidden == true)
            }
        }

        @Test("A note of a deleted session that has the row of another one frees nothing of it, and is reported")
        func deleted() throws {
            try each { archive, address in
                try OddSessions(archive).record()
                let before = try ArchiveSnapshot(archive).texts.filter { !$0.hasPrefix("deleted ") }
                let all = try archive.sessionRows()
                for (index, row) in all.enumerated() {
                    let id = "GONE-SESSION-0000\(index)"
                    let raw = RawArchive(archive: archive)
                    try raw.run("INSERT INTO deleted VALUES ('\(id)', \(row))")
                    #expect(try problems(address).filter { $0.contains(id) }.count == 1)
                }
                let gone = try #require(try archive.upload("SESSION-EMPTY-0001"))
                while try archive.sweep() {}
                #expect(try ArchiveSnapshot(archive).texts.filter { !$0.hasPrefix("deleted ") } == before)
                // What is deleted is still freed.
                try archive.delete(gone)
                while try archive.sweep() {}
                #expect(try archive.batch(of: gone.row, from: 0, joinedTo: 0) == nil)
            }
        }
    }
#endif
