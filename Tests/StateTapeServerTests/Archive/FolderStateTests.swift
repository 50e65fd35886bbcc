import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive

/// What each command answers to each state of a data folder, and that only a server that starts changes a byte there.
@Suite(.timeLimit(.minutes(5)), .enabled(if: Engine.isSQLite)) struct FolderStateTests {
    enum End: CaseIterable { case killed, clean }
    enum File: CaseIterable { case whole, empty, oneByte, missing, garbage }
    enum Log: CaseIterable { case kept, garbage, removed }
    enum Command: CaseIterable { case check, move, repair, serve }

    enum Answer: Equatable {
        /// The number of sessions that are found, and whether without problems.
        case sessions(Int, isSound: Bool)
        /// An error with this text.
        case refused(String)
    }

    private static let garbage = Data((0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) })
    private static let count = 3
    private let temporary = TemporaryFolder()

    private func data(_ name: String) -> URL { temporary.url.appendingPathComponent(name) }

    /// A folder as a killed server or a clean stop leaves it.
    private func recorded(_ end: End) throws -> URL {
        let folder = data("\(end)")
        let archive = try TestArchive(.sqlite)
        for number in 0..<Self.count {
            _ = try archive.record(Sample.counting(to: 20), Sample.header("SESSION-0000\(number)"))
        }
        if end == .clean { try archive.archive.close() }
        try FileManager.default.copyItem(at: archive.folder.url, to: folder)
        if end == .killed { try archive.archive.close() }
        for name in ["lock", "working"] { try Data().write(to: folder.appendingPathComponent(name)) }
        // As large as it is, it would only be copied.
        try Data([0]).write(to: folder.appendingPathComponent(DataFolder.reserve))
        return folder
    }

    private func damaged(_ source: URL, _ file: File, _ log: Log, isMarked: Bool) throws -> URL {
        let folder = data("data")
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.copyItem(at: source, to: folder)
        let archive = folder.appendingPathComponent(DataFolder.archive)
        let wal = folder.appendingPathComponent(DataFolder.archive + "-wal")
        switch file {
        case .whole: break
        case .empty: try Data().write(to: archive)
        case .oneByte: try Data([83]).write(to: archive)
        case .missing: try FileManager.default.removeItem(at: archive)
        case .garbage: try Self.garbage.write(to: archive)
        }
        switch log {
        case .kept: break
        case .garbage: try Self.garbage.write(to: wal)
        case .removed:
            try FileManager.default.removeItem(at: wal)
            try FileManager.default.removeItem(at: folder.appendingPathComponent(DataFolder.archive + "-shm"))
        }
        if !isMarked {
            for name in [DataFolder.acknowledged, DataFolder.reserve] {
                try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
            }
        }
        return folder
    }

    private func expected(_ command: Command, _ end: End, _ file: File, _ log: Log, isMarked: Bool) -> Answer {
        // Everything is in the log of a killed server's short run, and in the file after a clean stop.
        let isWhole = end == .killed ? log == .kept : file == .whole
        let hasLog = log == .garbage || log == .kept && end == .killed
        switch file {
        case .whole, .garbage:
            if isWhole { return .sessions(Self.count, isSound: true) }
            if command == .repair { return .sessions(0, isSound: false) }
            if file == .whole, isMarked { return .refused("has lost StateTape's tables: “statetape repair --data ") }
            if file == .whole, command == .serve { return .sessions(0, isSound: true) }
            return .refused(file == .whole ? "another version" : "not a database. “statetape repair --data ")
        case .empty, .oneByte, .missing:
            let state = file == .missing ? "missing" : "empty"
            if hasLog, command != .repair {
                return .refused("archive.sqlite is \(state), but its log")
            }
            if hasLog { return .sessions(isWhole ? Self.count : 0, isSound: isWhole) }
            if isMarked {
                return .refused("archive.sqlite is \(state), and its log has nothing of it: put the file back")
            }
            return command == .serve ? .sessions(0, isSound: true) : .refused("name a server's data folder.")
        }
    }

    private func answer(_ command: Command, _ folder: URL) async throws -> Answer {
        let (target, logger) = (data("target"), PrivatePostgres.logger)
        try? FileManager.default.removeItem(at: target)
        var problems = 0
        do {
            switch command {
            case .check:
                let counts = try ArchiveCheck.run(.folder(folder), logger: logger) { _ in
                    problems += 1
                } progress: { _ in
                }
                return .sessions(counts.sessions, isSound: problems == 0)
            case .move:
                let counts = try ArchiveMove.run(from: .folder(folder), to: .folder(target), logger: logger) { _ in
                    problems += 1
                } progress: { _ in
                }
                return .sessions(counts.copied, isSound: problems == 0)
            case .repair:
                let counts = try ArchiveRepair.run(from: folder, to: target, logger: logger) { _ in
                    problems += 1
                } progress: { _ in
                }
                return .sessions(counts.sessions, isSound: problems == 0)
            case .serve:
                let server = try Server(configuration(folder), logger: logger)
                defer { server.stop() }
                let list = try await HTTPClient(port: server.port).get("/api/v1/sessions").json()
                return .sessions(list["sessions"]?.array?.count ?? -1, isSound: true)
            }
        } catch let error as ServerError {
            return .refused(error.description)
        }
    }

    private func configuration(_ folder: URL) -> Configuration {
        var configuration = Configuration(data: folder)
        configuration.port = 0
        return configuration
    }

    private func files(_ folder: URL) throws -> [String: Data] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).reduce(into: [:]) { files, name in
            files[name] = try Data(contentsOf: folder.appendingPathComponent(name))
        }
    }

    @Test("Each command's answer to each state of the folder", arguments: End.allCases)
    func table(_ end: End) async throws {
        let source = try recorded(end)
        for file in File.allCases {
            for log in Log.allCases {
                for isMarked in [true, false] {
                    for command in Command.allCases {
                        let title = "\(end), archive \(file), log \(log), marked: \(isMarked): \(command)"
                        let folder = try damaged(source, file, log, isMarked: isMarked)
                        let before = try files(folder)
                        let answer = try await answer(command, folder)
                        switch (answer, expected(command, end, file, log, isMarked: isMarked)) {
                        case (.refused(let text), .refused(let part)):
                            #expect(text.contains(part), "\(title): \(text)")
                            if command == .serve, text.contains("archive.sqlite is ") {
                                #expect(text.contains("To start with a new archive on purpose, move the folder"))
                            }
                        case (let answer, let expected): #expect(answer == expected, "\(title)")
                        }
                        if command == .serve, case .sessions = answer { continue }
                        // SQLite deletes a log without a single page, also if it can't read the file.
                        if command == .serve, file == .garbage, log == .garbage { continue }
                        #expect(try files(folder) == before, "\(title)")
                    }
                }
            }
        }
    }

    @Test("A new folder, and one of a server with a database, are no lost archive")
    func new() async throws {
        let folder = data("new")
        #expect(try await answer(.serve, folder) == .sessions(0, isSound: true))
        let other = data("other")
        _ = try DataFolder(other)
        try Data("a".utf8).write(to: other.appendingPathComponent("working"))
        #expect(try await answer(.serve, other) == .sessions(0, isSound: true))
    }

    @Test("A check beside a running server reads what it has stored, and later without it, too")
    func beside() async throws {
        let folder = data("served")
        let server = try Server(configuration(folder), logger: PrivatePostgres.logger)
        #expect(try await answer(.check, folder) == .sessions(0, isSound: true))
        guard case .refused(let text) = try await answer(.move, folder) else {
            throw Ended(description: "the copy began")
        }
        #expect(text.contains("in use by a server"))
        server.stop()
        #expect(try await answer(.check, folder) == .sessions(0, isSound: true))
    }

    @Test(
        "A server whose archive is emptied or taken away says so, and leaves the log to a repair",
        arguments: [true, false])
    func emptied(_ isEmptied: Bool) async throws {
        let source = try recorded(.killed)
        let server = try Server(configuration(source), logger: PrivatePostgres.logger)
        let http = HTTPClient(port: server.port)
        #expect(try await http.get("/healthz").status == 200)
        let archive = source.appendingPathComponent(DataFolder.archive)
        if isEmptied {
            #expect(truncate(archive.path, 0) == 0)
        } else {
            try FileManager.default.removeItem(at: archive)
        }
        let health = try await http.get("/healthz")
        #expect(health.status == 503)
        #expect(health.text.contains(isEmptied ? "was emptied while the server runs" : "was deleted or replaced"))
        server.stop()
        guard case .refused(let text) = try await answer(.serve, source) else {
            throw Ended(description: "a new archive was begun")
        }
        #expect(text.contains("“statetape repair --data "))
        #expect(try await answer(.repair, source) == .sessions(Self.count, isSound: true))
    }
}
