import Foundation
import SampleTapes
import Testing

@testable import StateTapeServer
@testable import TapeArchive

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
        let (file, absent) = (others.url.appendingPathComponent("theirs"), others.url.appendingPathComponent("absent"))
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

    @Test(
        "A token file with anything but a token is refused, and stays as it is",
        arguments: [
            Data("a".utf8), Data("seven77".utf8), Data("two words here".utf8),
            Data("first-line\nsecond-line\n".utf8),
            Data("a-token\u{1b}[31m".utf8), Data("a-token\0".utf8), Data("ein-schöner-schlüssel".utf8),
            Data([0x74, 0x6f, 0x6b, 0xff, 0xfe, 0x6e, 0x6e, 0x6e, 0x6e, 0x6e]), Data(repeating: 0x61, count: 1_001),
            Data(repeating: 0, count: 1 << 20), Data(repeating: 0x20, count: 1 << 20),
        ])
    func noToken(_ content: Data) throws {
        let folder = try DataFolder(temporary.url)
        for file in [folder.token, folder.viewToken] {
            try content.write(to: file)
            let error = #expect(throws: ServerError.self) { try folder.keptToken(in: file) }
            #expect(error?.description.contains("The token file \(file.path) doesn't hold a token") == true)
            #expect(try Data(contentsOf: file) == content)
        }
    }

    @Test("A token that a person wrote is taken without the blanks around it, and a blank file gets one")
    func writtenToken() throws {
        let folder = try DataFolder(temporary.url)
        for (text, token) in [
            ("eight888", "eight888"), (" \tour-own+token/=\r\n", "our-own+token/="),
            (String(repeating: "t", count: 1_000) + "\r\n", String(repeating: "t", count: 1_000)),
        ] {
            try Data(text.utf8).write(to: folder.token)
            let kept = try folder.keptToken(in: folder.token)
            #expect(kept.token == token && !kept.isNew)
        }
        for blank in ["", "\n", "  \r\n"] {
            try Data(blank.utf8).write(to: folder.token)
            #expect(try folder.keptToken(in: folder.token).isNew)
        }
    }

    /// Opens all that a server opens in its folder.
    private func use(_ folder: URL) throws {
        let opened = try DataFolder(folder)
        let archive = try ArchiveAddress.folder(folder).open(sync: .normal, logger: PrivatePostgres.logger)
        defer { try? archive.close() }
        _ = try CrashMarker(opened.working.path)
        for token in [opened.token, opened.viewToken] { _ = try opened.keptToken(in: token) }
    }

    @Test("What a server writes never gets into a file that has another name, too", arguments: DataFolder.names)
    func hardLinks(_ name: String) throws {
        let (folder, other) = (
            temporary.url.appendingPathComponent("data"), temporary.url.appendingPathComponent("other")
        )
        try use(folder)
        let file = folder.appendingPathComponent(name)
        // Blank, so that a token would be written into it.
        let content =
            name.hasSuffix("token") ? Data("\n".utf8) : (try? Data(contentsOf: file)) ?? Data("theirs".utf8)
        try? FileManager.default.removeItem(at: file)
        try content.write(to: other)
        try FileManager.default.linkItem(at: other, to: file)
        let error = #expect(throws: ServerError.self) { try use(folder) }
        #expect(error?.description.contains(file.path + " is a hard link") == true)
        #expect(try Data(contentsOf: other) == content)
        // To read it is no harm.
        try DataFolder.check(folder)
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
        let (folder, other) = (temporary.url.appendingPathComponent("data"), temporary.url.appendingPathComponent("o"))
        func check() throws {
            _ = try ArchiveCheck.run(
                .folder(folder), logger: PrivatePostgres.logger, tell: { _ in }, progress: { _ in })
        }
        let target = temporary.url.appendingPathComponent("repaired")
        func repair() throws {
            _ = try ArchiveRepair.run(
                from: folder, to: target, logger: PrivatePostgres.logger, tell: { _ in }, progress: { _ in })
        }
        try use(folder)
        let file = folder.appendingPathComponent(name)
        try odd.put(at: file, other)
        for command in [{ try use(folder) }, check, repair] {
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
