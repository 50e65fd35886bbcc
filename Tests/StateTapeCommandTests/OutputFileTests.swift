#if Server
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
            let absent = #expect(throws: Failure.self) { try OutputFile.write(path("no/such")) { _ in } }
            #expect(absent?.description.contains("No such file or directory") == true)
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
#endif
