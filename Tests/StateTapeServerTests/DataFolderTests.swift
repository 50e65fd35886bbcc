#if Server
    import Foundation
    import SampleTapes
    import Testing

    @testable import StateTapeServer

    @Suite struct DataFolderTests {
        private let temporary = TemporaryFolder()

        @Test("Only one server at a time can use a folder")
        func lock() throws {
            let first = try DataFolder(temporary.url)
            let error = #expect(throws: ServerError.self) { try DataFolder(temporary.url) }
            #expect(error?.code == .dataInUse)
            first.unlock()
            _ = try DataFolder(temporary.url)
        }

        @Test("A token is made once, and only its owner can read it")
        func token() throws {
            let folder = try DataFolder(temporary.url)
            let made = try folder.keptToken(in: folder.token)
            #expect(made.isNew && made.token.count == 32)
            let kept = try folder.keptToken(in: folder.token)
            #expect(!kept.isNew && kept.token == made.token)
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.token.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }

        @Test("Neither lock nor token is written through a link to another file")
        func links() throws {
            let (others, linked) = (TemporaryFolder(), TemporaryFolder())
            let (file, absent) = (
                others.url.appendingPathComponent("theirs"), others.url.appendingPathComponent("absent")
            )
            for folder in [others.url, linked.url] {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            // Empty, so that it would count as no token.
            try Data().write(to: file)
            let folder = try DataFolder(temporary.url)
            for target in [file, absent] {
                try? FileManager.default.removeItem(at: folder.token)
                try FileManager.default.createSymbolicLink(at: folder.token, withDestinationURL: target)
                let error = #expect(throws: ServerError.self) { try folder.keptToken(in: folder.token) }
                #expect(error?.code == .dataFolder)
            }
            #expect(try Data(contentsOf: file).isEmpty)
            try FileManager.default.createSymbolicLink(
                at: linked.url.appendingPathComponent("lock"), withDestinationURL: absent)
            #expect(throws: ServerError.self) { try DataFolder(linked.url) }
            #expect(!FileManager.default.fileExists(atPath: absent.path))
        }

        /// What isn't a plain file.
        enum Odd: CaseIterable {
            case pipe, link, danglingLink, folder

            func put(at file: URL, _ other: URL) throws {
                try? FileManager.default.removeItem(at: file)
                switch self {
                case .pipe: #expect(mkfifo(file.path, 0o600) == 0)
                case .link:
                    try Data("theirs".utf8).write(to: other)
                    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: other)
                case .danglingLink: try FileManager.default.createSymbolicLink(at: file, withDestinationURL: other)
                case .folder: try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
                }
            }
        }

        @Test(
            "What isn't a plain file is neither read, written nor waited for, and the error names it",
            .timeLimit(.minutes(1)), arguments: DataFolder.names, Odd.allCases)
        func odd(_ name: String, _ odd: Odd) throws {
            let (folder, other) = (
                temporary.url.appendingPathComponent("data"), temporary.url.appendingPathComponent("o")
            )
            func use() throws {
                let opened = try DataFolder(folder)
                let archive = try ArchiveAddress.folder(folder).open(sync: .normal, logger: PrivatePostgres.logger)
                defer { try? archive.close() }
                _ = try WorkMarker(opened.working.path)
                for token in [opened.token, opened.viewToken] { _ = try opened.keptToken(in: token) }
            }
            func check() throws {
                _ = try ArchiveCheck.run(
                    .folder(folder), logger: PrivatePostgres.logger, tell: { _ in }, progress: { _ in })
            }
            let target = temporary.url.appendingPathComponent("repaired")
            func repair() throws {
                _ = try ArchiveRepair.run(
                    from: folder, to: target, logger: PrivatePostgres.logger, tell: { _ in }, progress: { _ in })
            }
            try use()
            let file = folder.appendingPathComponent(name)
            try odd.put(at: file, other)
            for command in [use, check, repair] {
                let error = #expect(throws: ServerError.self) { try command() }
                #expect(error?.code == .dataFolder && error?.description.contains(file.path + " is a ") == true)
            }
            #expect(!FileManager.default.fileExists(atPath: target.path))
            #expect((try? Data(contentsOf: other)) == (odd == .link ? Data("theirs".utf8) : nil))
        }

        @Test("An error about an impossible folder is one clear sentence")
        func unwritable() throws {
            _ = try DataFolder(temporary.url)
            let file = temporary.url.appendingPathComponent("lock")
            let error = #expect(throws: ServerError.self) { try DataFolder(file.appendingPathComponent("data")) }
            #expect(error?.code == .dataFolder)
        }
    }
#endif
