#if os(Linux)
    import Foundation
    import TapeFormat
    import Testing

    @testable import StateTape
    @testable import TapeUplink

    @Suite("A spool in a folder with other files", .timeLimit(.minutes(1)))
    struct ForeignFilesTests {
        private let scene = SpoolScene()
        private let files = FileManager.default
        private let names = ["01JD3M8Q5R7V2X9B4N6T0KZYW1", "01JD3M8Q5R7V2X9B4N6T0KZYW2", "01JD3M8Q5R7V2X9B4N6T0KZYW3"]

        private func write(_ path: String, _ text: String = "mine") throws {
            let file = scene.place.appendingPathComponent(path)
            try files.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }

        /// Every path below the folder with its contents or its target.
        private func contents(of place: URL? = nil) -> [String: String] {
            let root = (place ?? scene.place).path
            var found: [String: String] = [:]
            for path in files.enumerator(atPath: root)?.compactMap({ $0 as? String }) ?? [] {
                let whole = root + "/" + path
                var status = stat()
                lstat(whole, &status)
                found[path] =
                    switch status.st_mode & S_IFMT {
                    case S_IFLNK: "link to " + ((try? files.destinationOfSymbolicLink(atPath: whole)) ?? "")
                    case S_IFREG: (try? String(contentsOfFile: whole, encoding: .utf8)) ?? "bytes"
                    default: "\(status.st_mode & S_IFMT)"
                    }
            }
            return found
        }

        /// Delivers the sessions in the spool, and waits for them.
        private func delivered(sessions: Int) async throws -> [String: [EventLine]] {
            let server = try TestServer()
            let tape = scene.recorder(server.url)
            await scene.delivered(sessions)
            tape.finish(timeout: .seconds(20))
            return server.state.tapes
        }

        @Test("Other files, folders and links stay unchanged, whatever their names")
        func foreign() async throws {
            try write("diary.txt")
            try write("photographs/1.jpg")
            for name in ["new-project", "gone-fishing", "new-" + names[1], "gone-" + names[1], names[1]] {
                try write(name + "/lock")
                try write(name + "/hello", "{}")
                try write(name + "/00000.segment", "STTAPE1\n")
                try write(name + "/thesis.txt")
            }
            let elsewhere = SpoolScene()
            try elsewhere.leave(names[2], [0...3])
            let target = elsewhere.place.appendingPathComponent(names[2])
            try files.createSymbolicLink(at: scene.place.appendingPathComponent(names[2]), withDestinationURL: target)
            #expect(mkfifo(scene.place.appendingPathComponent("pipe").path, 0o600) == 0)
            let (before, beyond) = (contents(), contents(of: elsewhere.place))
            try scene.leave(names[0], [0...3])
            let tapes = try await delivered(sessions: 1)
            #expect(tapes[names[0]]?.count == 5)
            #expect(contents() == before)
            #expect(contents(of: elsewhere.place) == beyond)
            #expect(scene.told.isEmpty)
        }

        @Test("Another file in a session's folder stays once the session is delivered")
        func inside() async throws {
            try scene.leave(names[0], [0...3])
            try write("\(names[0])/notes.txt")
            try write("\(names[0])/+1.segment")
            try write("\(names[0])/drafts/1.txt")
            let tapes = try await delivered(sessions: 1)
            #expect(tapes[names[0]]?.map(\.kind) == [.note, .note, .note, .note, .end])
            #expect(
                contents().filter { $0.value == "mine" }.keys.sorted() == [
                    "\(names[0])/+1.segment", "\(names[0])/drafts/1.txt", "\(names[0])/notes.txt",
                ])
            #expect(scene.told.count == 1)
            // Without its marker it is no longer a session.
            let before = contents()
            scene.folder.tidy(limit: 0)
            #expect(scene.folder.left(except: [], for: SessionServer()) == nil && contents() == before)
        }

        @Test("Links and pipes named like the recorder's files are neither followed nor waited for")
        func links() async throws {
            let outside = scene.place.deletingLastPathComponent().appendingPathComponent("\(UUID().uuidString).txt")
            defer { try? files.removeItem(at: outside) }
            try Data("mine".utf8).write(to: outside)
            for name in names { try scene.leave(name, [0...3]) }
            let folder = scene.place.appendingPathComponent(names[0])
            for name in ["pending", "00001.segment"] {
                try? files.removeItem(at: folder.appendingPathComponent(name))
                try files.createSymbolicLink(at: folder.appendingPathComponent(name), withDestinationURL: outside)
            }
            let hello = scene.place.appendingPathComponent("\(names[1])/hello")
            try files.removeItem(at: hello)
            #expect(mkfifo(hello.path, 0o600) == 0)
            let tapes = try await delivered(sessions: 3)
            #expect(tapes[names[0]]?.map(\.kind) == [.note, .note, .note, .note, .end])
            #expect(tapes[names[1]]?.count == 5 && tapes[names[2]]?.count == 5)
            #expect(try String(contentsOf: outside, encoding: .utf8) == "mine")
        }

        @Test("A session's folder that is replaced during writing is left alone")
        func replaced() throws {
            let header = Header(session: names[0], app: Header.App(id: "app"), started: "2026-01-01T00:00:00Z")
            let log = scene.log
            let folder = try scene.folder.make(LinkState.SessionIdentity(header: header, key: "k", token: nil))
            let spool = Spool(folder) { log($0) }
            for seq in 0..<6 {
                spool.append(SpoolScene.note(seq))
                spool.cut()
            }
            let aside = scene.place.appendingPathComponent("moved")
            try files.moveItem(at: folder.place, to: aside)
            for number in 0..<9 { try write("photographs/0000\(number).segment") }
            try write("photographs/lock", String(decoding: SessionFolder.marker, as: UTF8.self))
            try files.createSymbolicLink(
                at: folder.place, withDestinationURL: scene.place.appendingPathComponent("photographs"))
            let before = contents()
            spool.release(below: 5)
            for seq in 6..<9 {
                spool.append(SpoolScene.note(seq))
                spool.cut()
            }
            spool.remove()
            #expect(contents() == before)
            #expect(scene.told.count == 1)
        }

        @Test("Two processes of one app keep their sessions apart, and other files stay")
        func together() async throws {
            try write("diary.txt")
            let server = try TestServer()
            let tapes = (0..<2).map { _ in scene.recorder(server.url) }
            let tracks = tapes.map { $0.track(TestState(), TestAction.self) }
            for track in tracks {
                var state = track.start
                track.record(.increment, &state) { reduce(&$0, .increment) }
            }
            for tape in tapes { #expect(tape.finish(timeout: .seconds(20))) }
            #expect(
                server.state.tapes.values.map { $0.map(\.kind) } == [
                    [.`init`, .action, .end], [.`init`, .action, .end],
                ])
            #expect(contents() == ["diary.txt": "mine"])
        }

        @Test("The app has its own folder below the named one")
        func place() {
            #expect(
                Launch.spool(["STATETAPE_SPOOL": "/home/me"], app: "com.example.todo")?.path
                    == "/home/me/statetape/com.example.todo")
            let caches = Launch.spool(["STATETAPE_SPOOL": ""], app: "todo")?.path
            #expect(caches?.hasSuffix("/statetape/spool/todo") == true)
            #expect(
                ["todo", "..", ".", "", "/", "a/b"].map(Launch.fileName) == ["todo", "_..", "_.", "_", "_", "a_b"])
        }
    }
#endif
