import Foundation
import Testing

@testable import StateTapeCommand

@Suite("Output files", .timeLimit(.minutes(1)))
struct OutputFileTests {
    private let temporaryFolder: TestFolder
    private var folder: URL { temporaryFolder.url }

    init() throws {
        temporaryFolder = try TestFolder()
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func write(_ name: String, _ text: String, replaces: Bool = true) throws {
        try OutputFile.write(path(name), replaces: replaces) { try $0.write(contentsOf: Data(text.utf8)) }
    }

    private func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    private func info(_ name: String) -> stat {
        var info = stat()
        lstat(path(name), &info)
        return info
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    @Test("A new file is created; an existing file gets the new content and keeps its permissions")
    func regular() throws {
        try write("a", "one")
        #expect(chmod(path("a"), 0o640) == 0)
        try write("a", "two")
        #expect(try text("a") == "two" && info("a").st_mode & 0o777 == 0o640 && names == ["a"])
        #expect(throws: Failure.self) { try write("a", "three", replaces: false) }
        #expect(try text("a") == "two")
    }

    @Test("Links stay links, and their targets are written or created")
    func links() throws {
        try write("target", "old")
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "target")
        try FileManager.default.createSymbolicLink(atPath: path("dangling"), withDestinationPath: "absent")
        try write("link", "new")
        try write("dangling", "made")
        #expect(try text("target") == "new" && text("absent") == "made")
        for name in ["link", "dangling"] { #expect(info(name).st_mode & S_IFMT == S_IFLNK) }
        // A hard link still names the same file.
        #expect(link(path("target"), path("second")) == 0)
        try write("target", "both")
        #expect(try text("second") == "both")
    }

    @Test("Pipes and devices are written in place and not replaced")
    func special() throws {
        #expect(mkfifo(path("pipe"), 0o600) == 0)
        let reader = open(path("pipe"), O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        try write("pipe", "through")
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(reader, &buffer, buffer.count)
        #expect(String(decoding: buffer[..<max(0, count)], as: UTF8.self) == "through")
        #expect(info("pipe").st_mode & S_IFMT == S_IFIFO)
        // Only root can create a device; other users can't replace the system's.
        guard mknod(path("null"), S_IFCHR | 0o666, 1 << 8 | 3) == 0 else { return }
        try write("null", "nothing")
        #expect(info("null").st_mode & S_IFMT == S_IFCHR)
    }

    @Test("A failed write keeps the old file and leaves no partial file")
    func failure() throws {
        struct Broken: Error {}
        try write("a", "old")
        for name in ["a", "b"] {
            #expect(throws: Failure.self) {
                try OutputFile.write(path(name)) { file in
                    try file.write(contentsOf: Data("half".utf8))
                    throw Broken()
                }
            }
        }
        #expect(try text("a") == "old" && names == ["a"])
        let full = #expect(throws: Failure.self) {
            try OutputFile.write("/dev/full") { try $0.write(contentsOf: Data("x".utf8)) }
        }
        #expect(full?.description.contains("No space left") == true, "\(full?.description ?? "")")
        let into = #expect(throws: Failure.self) { try OutputFile.write(folder.path) { _ in } }
        #expect(into?.description.contains("is a folder") == true)
    }

    @Test(
        "The error names the folder that is missing, or the file in its place",
        arguments: [
            ("no/such", "the folder FOLDER/no doesn't exist. Create it, or pass another path."),
            ("no/no/such", "the folder FOLDER/no/no doesn't exist. Create it, or pass another path."),
            ("no/", "the folder FOLDER/no doesn't exist. Create it, or pass another path."),
            ("file/such", "FOLDER/file is not a folder."),
            ("file/no/such", "FOLDER/file is not a folder."),
            ("link", "the folder FOLDER/no doesn't exist. Create it, or pass another path."),
        ])
    func missingFolder(name: String, problem: String) throws {
        try write("file", "a")
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "no/such")
        let whole = "\(folder.path)/\(name)"
        let expected =
            "\(whole) can't be written: " + problem.replacingOccurrences(of: "FOLDER", with: folder.path)
        let early = #expect(throws: Failure.self) { try OutputFile.requireFolder(of: whole) }
        let late = #expect(throws: Failure.self) { try OutputFile.write(whole) { _ in } }
        #expect(early?.description == expected && late?.description == expected)
    }

    @Test("A file in the working folder, or in one that exists, has a folder", arguments: ["a", "./a", "/a", "-"])
    func folder(path: String) throws {
        try OutputFile.requireFolder(of: path)
    }

    @Test(
        "Each command that writes a file says which folder is missing, and writes nothing",
        arguments: [
            ["export", "a.tape", "-o", "no/x.tape"], ["export", "a.tape", "-o", "no/x.tape.gz"],
            ["export", "a.tape", "--format", "html", "-o", "no/x.html"],
            ["export", "a.tape", "--format", "redux-devtools", "-o", "no/x.json"],
            ["export", "a.tape", "--format", "test", "-o", "no/x.swift"],
            ["verify", "a.tape", "--junit", "no/x.xml"],
        ])
    func commands(_ arguments: [String]) throws {
        try temporaryFolder.write("Package.swift", Data())
        try temporaryFolder.write("a.tape", SampleTape.make(3))
        let result = try CommandProcess.run(arguments) { $0.currentDirectoryURL = folder }
        let problem = "can't be written: the folder no doesn't exist. Create it, or pass another path."
        #expect(result.status == 1 && result.errors == "Error: \(arguments.last ?? "") \(problem)\n")
        // The tape of a test would be in Tapes.
        #expect(names == ["Package.swift", "a.tape"] && result.output == "")
    }

    @Test("Only the owner can read a temporary file")
    func temporary() throws {
        let file = try TemporaryFile()
        defer { file.remove() }
        var info = stat()
        stat(file.url.path, &info)
        #expect(info.st_mode & 0o777 == 0o600)
    }
}
