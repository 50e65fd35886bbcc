#if os(Linux)
    import Foundation
    import TapeFormat
    import Testing

    @testable import StateTape

    // Serialized: a child process shares the files that are open until it starts.
    @Suite("A tape in a file", .timeLimit(.minutes(1)), .serialized)
    final class TapeFileTests {
        private let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("statetape-file-\(UUID().uuidString)")
        private let told = Locked<[String]>([])

        init() throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

        private func recorder(_ path: String) -> Recorder {
            Recorder(
                .test(
                    launch: Launch(environment: ["STATETAPE_FILE": path], arguments: ["/bin/test-app"]),
                    log: { [told] text in told.withLock { $0.append(text) } }))
        }

        /// Records one action.
        private func record(_ path: String) {
            let tape = recorder(path)
            let track = tape.track(TestState(), TestAction.self)
            var state = track.start
            track.record(.increment, &state) { reduce(&$0, .increment) }
            tape.finish(timeout: .seconds(20))
            withExtendedLifetime(track) {}
        }

        private func kinds(_ path: String) throws -> [EventKind] {
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            _ = try Header(JSON(parsing: String(lines.first ?? "")))
            return try lines.dropFirst().map { try EventLine(parsing: Array($0.utf8)).kind }
        }

        private func kind(_ path: String) -> mode_t {
            var found = stat()
            return lstat(path, &found) == 0 ? found.st_mode & S_IFMT : 0
        }

        private let whole: [EventKind] = [.`init`, .action, .end]

        @Test("A file that is not a tape stays unchanged, with a message")
        func foreign() throws {
            try Data("a diary".utf8).write(to: folder.appendingPathComponent("diary.txt"))
            record(path("diary.txt"))
            #expect(try String(contentsOfFile: path("diary.txt"), encoding: .utf8) == "a diary")
            #expect(told.withLock { $0.filter { $0.contains("not a tape") }.count } == 1)
        }

        @Test("An earlier run's tape and an empty file are overwritten, with nothing of a longer tape left")
        func earlier() throws {
            let old = "{\"tape\":1,\"session\":\"x\"}\n" + String(repeating: "x", count: 100_000)
            try Data(old.utf8).write(to: folder.appendingPathComponent("run.tape"))
            try Data().write(to: folder.appendingPathComponent("empty.tape"))
            for name in ["run.tape", "empty.tape"] {
                record(path(name))
                #expect(try kinds(path(name)) == whole)
            }
            #expect(told.withLock { $0.isEmpty })
        }

        @Test("A link stays a link, and its target has the tape, whether it existed or not")
        func links() throws {
            try Data().write(to: folder.appendingPathComponent("there.tape"))
            for (link, target) in [("a", "there.tape"), ("b", "new.tape")] {
                try FileManager.default.createSymbolicLink(atPath: path(link), withDestinationPath: path(target))
                record(path(link))
                #expect(kind(path(link)) == S_IFLNK)
                #expect(try kinds(path(target)) == whole)
            }
        }

        @Test("A device stays a device")
        func device() throws {
            // Not the system's own device: a mistake would break it for all processes.
            guard mknod(path("null"), S_IFCHR | 0o666, dev_t(1 << 8 | 3)) == 0 else { return }
            for _ in 0..<2 { record(path("null")) }
            #expect(kind(path("null")) == S_IFCHR)
        }

        @Test("Recorders with the same path write separate files, at once or one after the other")
        func shared() throws {
            let tapes = (0..<3).map { _ in recorder(path("run.tape")) }
            let tracks = tapes.map { $0.track(TestState(), TestAction.self) }
            for track in tracks {
                var state = track.start
                track.record(.increment, &state) { reduce(&$0, .increment) }
            }
            for tape in tapes { tape.finish(timeout: .seconds(20)) }
            record(path("run.tape"))
            for name in ["run.tape", "run-2.tape", "run-3.tape", "run-4.tape"] {
                let found = try kinds(path(name))
                #expect(found == whole, "\(name)")
            }
            #expect(told.withLock { $0.filter { $0.contains("run-") }.count } == 3)
        }

        @Test("A pipe without a reader is logged, and the app continues")
        func unread() throws {
            #expect(mkfifo(path("pipe"), 0o600) == 0)
            record(path("pipe"))
            #expect(kind(path("pipe")) == S_IFIFO)
            #expect(told.withLock { $0.filter { $0.contains("nobody reads") }.count } == 1)
        }

        @Test("A pipe's reader gets every line; if it closes the pipe, only the writing stops")
        func read() throws {
            #expect(mkfifo(path("pipe"), 0o600) == 0)
            // The reader opens the pipe before the first writer.
            let reader = open(path("pipe"), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            #expect(reader >= 0)
            // Each recorder has closed the pipe once `finish()` has returned.
            for _ in 0..<50 {
                record(path("pipe"))
                let text = String(
                    decoding: FileHandle(fileDescriptor: reader, closeOnDealloc: false).availableData, as: UTF8.self)
                #expect(text.split(separator: "\n").count == 4)
            }
            #expect(told.withLock { $0.isEmpty })
            let tape = recorder(path("pipe"))
            let track = tape.track(TestState(), TestAction.self)
            var state = track.start
            tape.settle()
            close(reader)
            for _ in 0..<3 {
                track.record(.increment, &state) { reduce(&$0, .increment) }
                tape.settle()
            }
            tape.finish(timeout: .seconds(20))
            #expect(state.count == 3)
            #expect(told.withLock { $0.filter { $0.contains("Recording to the tape file stopped") }.count } == 1)
        }

        @Test("On a full disk, the tape keeps whole lines, with one message")
        func full() throws {
            record("/dev/full")
            #expect(told.withLock { $0.filter { $0.contains("Recording to the tape file stopped") }.count } == 1)
        }

        @Test("A folder is refused with a message")
        func refused() {
            record(folder.path)
            #expect(told.withLock { $0.filter { $0.contains("can't be written") }.count } == 1)
        }

        @Test("Standard output gets the tape between the app's own output")
        func standardOutput() async throws {
            let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                print("before")
                fflush(nil)
                let tape = Recorder(
                    .test(
                        launch: Launch(environment: ["STATETAPE_FILE": "/dev/stdout"], arguments: ["/bin/test-app"]),
                        log: { _ in }))
                let track = tape.track(TestState(), TestAction.self)
                var state = track.start
                track.record(.increment, &state) { reduce(&$0, .increment) }
                tape.finish(timeout: .seconds(20))
                withExtendedLifetime(track) {}
                print("after")
                fflush(nil)
                exit(0)
            }
            let lines = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self).split(separator: "\n")
            let events = lines.compactMap { try? EventLine(parsing: Array($0.utf8)).kind }
            #expect(events == whole)
            #expect(lines.first == "before" && lines.last == "after")
        }
    }
#endif
