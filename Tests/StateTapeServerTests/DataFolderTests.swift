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

        @Test("An error about an impossible folder is one clear sentence")
        func unwritable() throws {
            _ = try DataFolder(temporary.url)
            let file = temporary.url.appendingPathComponent("lock")
            let error = #expect(throws: ServerError.self) { try DataFolder(file.appendingPathComponent("data")) }
            #expect(error?.code == .dataFolder)
        }
    }
#endif
