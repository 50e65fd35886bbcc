import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive

@Suite(.timeLimit(.minutes(2)), .enabled(if: Engine.isSQLite)) struct DiskTests {
    private static let canMount = ServerProcess.canRun(["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/tmp"])
    private static let canInject = ServerProcess.canRun(["strace", "-f", "-e", "inject=sync:error=EIO", "true"])

    private let folder = TemporaryFolder()
    private let session = Sample.header().session

    init() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    }

    /// Random lines of 1 KB that can't be compressed.
    private func lines(_ seqs: Range<Int>) -> [EventLine] {
        seqs.map { seq in
            if seq == 0 { return Sample.start(0) }
            let text = (0..<60).map { _ in String(UInt64.random(in: 0...(.max)), radix: 16) }.joined()
            return Sample.full(seq, .string(text))
        }
    }

    /// Compares the server's events with those that were sent.
    private func expectAll(_ lines: [EventLine], _ server: ServerProcess) async throws {
        var found: [[UInt8]] = []
        while found.count < lines.count {
            let page = try await server.http.get("/api/v1/sessions/\(session)/events?from=\(found.count)")
            guard !page.lines.isEmpty else { break }
            found += page.lines
        }
        #expect(found == lines.map(\.bytes))
    }

    @Test(
        "A full disk loses nothing: links stay open, pages and health say why, and recording continues later",
        .enabled(if: canMount, "This machine allows no mount in a namespace of its own."))
    func full() async throws {
        let script = """
            mount -t tmpfs -o size=3m tmpfs "$1"
            exec 3<&0
            (read -r line <&3 && mount -o remount,size=64m "$1") &
            shift
            exec "$@"
            """
        let server = try ServerProcess(
            ["unshare", "-rm", "sh", "-c", script, "sh", folder.url.path], data: folder.url)
        let app = await server.app()
        app.send([AppLine.hello(Sample.hello()).bytes])
        _ = try await app.welcome()
        let viewer = await server.viewer()
        viewer.send([ViewerRequest.watch(session: session).bytes])
        _ = try await viewer.watching()
        let lines = lines(0..<6_000)
        for start in stride(from: 0, to: lines.count, by: 10) { app.send(lines[start..<start + 10].map(\.bytes)) }
        #expect(try await viewer.archive() == "the disk is full")
        let health = try await server.http.get("/healthz")
        #expect(health.status == 503 && health.text.contains("the disk is full"))
        let page = try await server.http.get("/api/v1/sessions/\(session)/events?limit=10")
        #expect(page.lines == lines.prefix(10).map(\.bytes))
        #expect(await server.app().closed().code == nil)

        try server.tell("grow")
        #expect(try await viewer.archive() == nil)
        try await app.acknowledged(lines.count)
        try await expectAll(lines, server)
        #expect(try await server.http.get("/healthz").status == 200)
    }

    @Test(
        "Deleting sessions frees a full disk, and recording continues",
        .enabled(if: canMount, "This machine allows no mount in a namespace of its own."))
    func freed() async throws {
        let script = "mount -t tmpfs -o size=24m tmpfs \"$1\" && shift && exec \"$@\""
        let server = try ServerProcess(
            ["unshare", "-rm", "sh", "-c", script, "sh", folder.url.path], data: folder.url)
        let app = await server.app()
        app.send([AppLine.hello(Sample.hello()).bytes])
        _ = try await app.welcome()
        let viewer = await server.viewer()
        viewer.send([ViewerRequest.watch(session: session).bytes])
        _ = try await viewer.watching()
        let lines = lines(0..<40_000)
        for start in stride(from: 0, to: lines.count, by: 200) { app.send(lines[start..<start + 200].map(\.bytes)) }
        #expect(try await viewer.archive() == "the disk is full")
        app.close()
        #expect(try await server.http.send("DELETE", "/api/v1/sessions/\(session)").status == 204)
        #expect(try await viewer.archive() == nil)
        while try await server.http.get("/healthz").status != 200 { try Task.checkCancellation() }
        let next = await server.app()
        next.send([AppLine.hello(Sample.hello(Sample.header("AFTER-00001"))).bytes])
        _ = try await next.welcome()
        next.send(lines[..<1_000].map(\.bytes))
        try await next.acknowledged(1_000)
    }

    @Test("A data folder that is deleted under a server is reported, and nothing more is acknowledged")
    func deleted() async throws {
        let server = try ServerProcess(data: folder.url)
        let app = await server.app()
        app.send([AppLine.hello(Sample.hello()).bytes])
        _ = try await app.welcome()
        app.send([Sample.start(0).bytes])
        try await app.acknowledged(1)
        let viewer = await server.viewer()
        viewer.send([ViewerRequest.watch(session: session).bytes])
        _ = try await viewer.watching()
        let aside = folder.url.appendingPathExtension("moved")
        try FileManager.default.moveItem(at: folder.url, to: aside)
        defer { try? FileManager.default.removeItem(at: aside) }
        // It is noticed even if no app sends.
        #expect(try await server.http.get("/healthz").text.contains("was deleted or replaced"))
        #expect(try await viewer.archive()?.contains("was deleted or replaced") == true)
        app.send([Sample.count(1, to: 1).bytes])
        #expect(
            try await server.http.send("PATCH", "/api/v1/sessions/\(session)", body: ["title": "a"]).status == 503)
        // An app that was told of a deletion would never come back.
        #expect(try await server.http.send("DELETE", "/api/v1/sessions/\(session)").status == 503)
        // Once the folder is back, the server stores everything that was sent in the meantime.
        try FileManager.default.moveItem(at: aside, to: folder.url)
        try await app.acknowledged(2)
        #expect(try await viewer.archive() == nil)
        #expect(try await server.http.get("/healthz").status == 200)
    }

    @Test(
        "A disk that temporarily fails to write or sync loses nothing",
        .enabled(if: canInject, "This machine has no strace, or doesn't allow it."),
        arguments: [("pwrite64", 200), ("fdatasync", 20)])
    func failing(_ call: String, _ first: Int) async throws {
        // The tables exist before the counting starts. Only the log's calls count, in any thread: about twenty
        // writes and one sync per commit.
        _ = try ServerProcess(["env"], data: folder.url)
        let server = try ServerProcess(
            [
                "strace", "-D", "-f", "-qq", "-o", "/dev/null", "-P", folder.url.path + "/archive.sqlite-wal", "-e",
                "trace=\(call)", "-e", "inject=\(call):error=EIO:when=\(first)..\(first + 2)",
            ], data: folder.url)
        let app = await server.app()
        app.send([AppLine.hello(Sample.hello()).bytes])
        _ = try await app.welcome()
        let viewer = await server.viewer()
        viewer.send([ViewerRequest.watch(session: session).bytes])
        _ = try await viewer.watching()
        let lines = lines(0..<200)
        // One commit each: the next send waits for it.
        async let sending: Void = {
            for line in lines {
                app.send([line.bytes])
                try await app.acknowledged(line.seq + 1)
            }
        }()
        #expect(try await viewer.archive()?.hasPrefix("the disk fails") == true)
        #expect(try await viewer.archive() == nil)
        try await sending
        try await expectAll(lines, server)
    }
}
