import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive

@Suite("Upload", .timeLimit(.minutes(1)))
struct UploadTests {
    private let server: TestServer
    private let path = TestServer.session

    init() throws {
        server = try TestServer()
    }

    private func upload(
        _ body: [UInt8], query: String = "", headers: [String: String] = [:]
    ) async throws -> HTTPClient.Response {
        try await server.http.send("POST", "/api/v1/sessions" + query, headers: headers, bytes: body)
    }

    private func tape(_ lines: [EventLine], _ header: Header = Sample.header()) -> [UInt8] {
        Array(([header.json.bytes] + lines.map(\.bytes)).joined(separator: [10])) + [10]
    }

    private func events() async throws -> [[UInt8]] {
        try await server.http.get(path + "/events").lines
    }

    @Test("A tape becomes a session with its original lines and its states")
    func whole() async throws {
        let lines = Sample.counting(to: 5) + [Sample.end(5)]
        let answer = try await upload(tape(lines), query: "?label=branch:main&label=ci:1")
        #expect(answer.status == 201 && answer.headers["location"] == path)
        let summary = try answer.json()
        #expect(summary["added"] == 6 && summary["events"] == 6 && summary["ended"] == true)
        #expect(summary["stopped"] == nil)
        #expect(summary["labels"] == ["branch": "main", "ci": "1"])
        #expect(try await events() == lines.map(\.bytes))
        #expect(try await server.http.get(path + "/states/3").json() == ["n": 3])
    }

    @Test("A header with millions of values is refused before it is parsed")
    func values() async throws {
        let states =
            Array("{\"tape\":1,\"states\":{\"main\":[".utf8)
            + Array(repeating: Array("[],".utf8), count: 17_000_000).flatMap { $0 }
        for end in ["1]}}\n", "1]}}"] {
            let answer = try await upload(try Gzip.pack(states + Array(end.utf8)))
            #expect(
                answer.status == 413 && answer.text.contains("A tape's header may have 16000000 values"),
                "\(answer.text)")
        }
    }

    @Test("A long tape is uploaded completely: gzipped with or without the header, in several members, or plain")
    func packed() async throws {
        for (index, name) in ["plain", "magic", "header", "members"].enumerated() {
            let id = "session-\(index)-\(name)"
            let lines = Sample.counting(to: 10_000)
            let body = tape(lines, Sample.header(id))
            let answer =
                switch name {
                case "plain": try await upload(body)
                case "magic": try await upload(try Gzip.pack(body))
                case "header": try await upload(try Gzip.pack(body), headers: ["Content-Encoding": "gzip"])
                default: try await upload(try Gzip.pack(Array(body[..<999])) + Gzip.pack(Array(body[999...])))
                }
            #expect(answer.status == 201, "\(name): \(answer.text)")
            let download = try await server.http.get("/api/v1/sessions/\(id)/tape")
            #expect(download.lines.dropFirst() == lines.map(\.bytes)[...], "\(name)")
        }
    }

    @Test("A long tape is sealed as it arrives, so that each of its states is near a keyframe at once")
    func sealed() async throws {
        let answer = try await upload(tape(Sample.counting(to: 10_000)))
        #expect(try answer.json()["sealed"] == 10_000)
        #expect(try await server.http.get(path + "/states/9876").json() == ["n": 9_876])
    }

    @Test("A tape with the id of a deleted session has its own states, not those of the session")
    func afterDeletion() async throws {
        let lines = [Sample.start(0)] + (1..<60).map { Sample.count($0, to: 1_000 + $0) }
        for number in 1..<10 {
            let header = Sample.header("ROUND-0000\(number)")
            let path = "/api/v1/sessions/" + header.session
            let app = try await server.recorded(Sample.counting(to: 40), Sample.hello(header))
            #expect(try await server.http.get(path + "/states/39").status == 200)
            #expect(try await server.http.send("DELETE", path).status == 204)
            // Until the connection of the session's app has closed, the upload is refused.
            var status = 409
            while status == 409 { status = try await upload(tape(lines, header)).status }
            #expect(status == 201)
            try await server.until { try await $0.get(path).json()["sealed"] == 60 }
            #expect(try await server.http.get(path + "/states/59").json() == ["n": 1_059])
            #expect(try await server.http.get(path + "/events").lines == lines.map(\.bytes))
            _ = await app.closed()
        }
    }

    @Test("A patch that doesn't apply ends the sealing of an upload, and is marked once the rest is sealed")
    func sealedUpToBrokenPatch() async throws {
        var lines = Sample.counting(to: 10_000)
        lines[6_000] = EventLine(
            seq: 6_000, at: 6_000, kind: .action,
            members: [
                ("action", ["type": "counter"]),
                ("patch", [["op": "replace", "path": "/absent", "value": 1]]),
            ])
        let answer = try await upload(tape(lines))
        #expect(answer.status == 201)
        let sealed = try #require(try answer.json()["sealed"]?.int)
        #expect(0..<6_000 ~= sealed)
        try await server.until { try await $0.get(path).json()["sealed"] == 10_000 }
        #expect(try await server.http.get(path + "/states/5999").json() == ["n": 5_999])
        #expect(try await server.http.get(path + "/states/6001").status != 200)
    }

    @Test("Stored events are compared, even sealed ones, and the rest is appended")
    func overlap() async throws {
        // Full states, which sealing turns into patches.
        let text = JSON.string(String(repeating: "long ", count: 60))
        let lines =
            [Sample.start(0)] + (1..<2_000).map { Sample.full($0, ["n": .number(.init($0)), "text": text]) }
        let app = try await server.recorded(Array(lines[..<1_500]))
        #expect(try await upload(tape(lines)).code == "live")
        app.close()
        _ = await app.closed()
        try await server.until { try await $0.get(path).json()["sealed"] == 1_500 }

        let answer = try await upload(tape(lines))
        #expect(answer.status == 200)
        #expect(try answer.json()["added"] == 500 && answer.json()["events"] == 2_000)
        #expect(try await server.http.get(path + "/states/1999").json()["n"] == 1_999)
        #expect(try await upload(tape(lines)).json()["added"] == 0)
    }

    @Test("The first difference is reported, and nothing is changed")
    func differs() async throws {
        let lines = Sample.counting(to: 8)
        _ = try await upload(tape(lines))
        var other = Sample.counting(to: 10)
        other[5] = Sample.count(5, to: 77)
        let answer = try await upload(tape(other))
        #expect(answer.status == 409 && answer.code == "differs")
        #expect(try answer.json()["seq"] == 5)
        other[5] = Sample.action(5, type: "other", ("patch", []))
        #expect(try await upload(tape(other)).json()["seq"] == 5)
        #expect(try await server.http.get(path + "/states/0").json() == ["n": 0])
        other[0] = Sample.start(0, ["n": 9])
        #expect(try await upload(tape(other)).json()["seq"] == 0)
        #expect(try await events() == lines.map(\.bytes))
    }

    @Test("A tape that ends inside a line keeps its whole lines, and the answer says where it stopped")
    func cut() async throws {
        let body = tape(Sample.counting(to: 4))
        let half = Array(body.dropLast(20))
        let whole = (half.lastIndex(of: 10) ?? 0) + 1
        let answer = try await upload(half)
        #expect(answer.status == 201)
        #expect(try answer.json()["stopped"] == ["line": 5, "byte": .number(.init(whole))])
        #expect(try await events().count == 3)
        // Without its last newline the line is complete.
        let rest = try await upload(Array(body.dropLast()))
        #expect(try rest.json()["added"] == 1 && rest.json()["stopped"] == nil)
        let packed = try await upload(Array(Gzip.pack(tape(Sample.counting(to: 9))).dropLast(8)))
        #expect(try packed.json()["added"] == 5 && packed.json()["stopped"] != nil)
    }

    @Test("A bad line is reported, the lines before it are stored, and the upload can be resumed")
    func badLine() async throws {
        let lines = Sample.counting(to: 6)
        let bad = Array(#"{"seq":3,"at":1,"event":"action","patch":[]}"#.utf8)
        let body = tape(Array(lines[..<3])) + bad + [10] + lines[4].bytes + [10]
        let answer = try await upload(body)
        #expect(answer.status == 422 && answer.code == "bad-line")
        let problem = try answer.json()
        #expect(problem["line"] == 5 && problem["next"] == 3)
        #expect(problem["detail"]?.string?.contains("“action”") == true)
        // Hidden until it is complete.
        #expect(try await server.http.get(path).status == 404)
        #expect(try await server.http.get("/api/v1/sessions").json()["sessions"] == [])

        let early = try await upload(lines[4].bytes, query: "?session=\(Sample.header().session)&from=4")
        #expect(early.status == 409)
        #expect(try early.json()["next"] == 3)
        let rest = Array(lines[3...].map(\.bytes).joined(separator: [10]))
        let resumed = try await upload(rest, query: "?session=\(Sample.header().session)&from=3")
        #expect(resumed.status == 201)
        #expect(try await events() == lines.map(\.bytes))
    }

    @Test(
        "An invalid tape is refused",
        arguments: [
            ("", 422, "bad-file"), ("nonsense", 422, "bad-file"), ("{}", 422, "bad-file"), ("[1]", 422, "bad-file"),
            ("<testsuites/>\n", 422, "bad-file"), ("[1]\n[2]\n", 422, "bad-file"), ("{\"a\":", 422, "bad-file"),
            (#"{"tape":1,"session":"x"}"# + "\n", 422, "bad-line"), (#"{"tape":1,"#, 422, "bad-file"),
        ])
    func refused(body: String, status: Int, code: String) async throws {
        let answer = try await upload(Array(body.utf8))
        #expect(answer.status == status && answer.code == code, "\(answer.text)")
    }

    @Test("A second tape in the same file is reported as such")
    func two() async throws {
        let one = tape(Sample.counting(to: 3))
        let answer = try await upload(one + one)
        #expect(try answer.status == 422 && answer.json()["line"] == 5)
        #expect(answer.text.contains("another tape begins there"), "\(answer.text)")
    }

    @Test("Blank lines are skipped; too many in a row are refused")
    func blank() async throws {
        let lines = Sample.counting(to: 4).map(\.bytes)
        let header = Sample.header().json.bytes + [10]
        let some = [UInt8](repeating: 10, count: 900)
        let spaced = header + some + Array(lines[..<2].joined(separator: some))
        let many = spaced + [UInt8](repeating: 10, count: 3_000_000) + lines[2] + [10]
        let answer = try await upload(many)
        #expect(try answer.status == 422 && answer.json()["next"] == 2, "\(answer.text)")
        #expect(try answer.json()["line"]?.int ?? 0 < 4_000)
        let bomb = try await upload(Gzip.pack(header + [UInt8](repeating: 10, count: 64 << 20)))
        #expect(bomb.status == 422 && bomb.text.contains("blank lines"))
    }

    @Test("A gzip file of many parts is accepted, but not one of nearly empty parts")
    func parts() async throws {
        let whole = tape(Sample.counting(to: 200))
        let pieces = try stride(from: 0, to: whole.count, by: 500).flatMap { start in
            try Gzip.pack(Array(whole[start..<min(start + 500, whole.count)]))
        }
        #expect(try await upload(pieces).status == 201)
        let empty = try Gzip.pack([])
        let bomb = try Gzip.pack(whole) + Array(repeatElement(empty, count: 100_000).joined())
        let answer = try await upload(bomb)
        #expect(
            answer.status == 422 && answer.code == "bad-gzip" && answer.text.contains("parts"), "\(answer.text)")
    }

    @Test("Files in other formats have a limit of values, and all uploads share a limit of memory")
    func room() async throws {
        let answer = try await upload([UInt8](repeating: UInt8(ascii: ","), count: 8_000_001))
        #expect(answer.status == 413 && answer.text.contains("8000000 values"), "\(answer.text)")
        let room = UploadMemory()
        let shares = (room.share(), room.share())
        try shares.0.hold(UploadMemory.size - 1)
        #expect(throws: Problem.self) { try shares.1.hold(2) }
        try shares.0.hold(0)
        try shares.1.hold(2)
        #expect(room.bytes == 2)
        func brief() throws { try room.share().hold(100) }
        try brief()
        #expect(room.bytes == 2)
    }

    @Test("A header's members can't replace the server's own members in a summary")
    func disguised() async throws {
        guard case .object(var header) = Sample.header().json else { return }
        let names = [
            "live", "recording", "locked", "events", "endReason", "kept", "replay", "setAside",
        ]
        for name in names + ["added", "stopped", "unknown"] { header[name] = "as it came" }
        let answer = try await upload(JSON.object(header).bytes + [10] + Sample.start(0).bytes + [10]).json()
        #expect(answer["added"] == 1 && answer["stopped"] == nil)
        for summary in [answer, try await server.http.get(path).json()] {
            #expect(summary["unknown"] == "as it came")
            #expect(names.filter { summary[$0] == "as it came" } == [])
        }
    }

    @Test("A line out of order, or after the end, is refused")
    func order() async throws {
        #expect(try await upload(tape([Sample.start(0), Sample.count(2, to: 2)])).json()["line"] == 3)
        let after = try await upload(tape([Sample.start(0), Sample.end(1), Sample.count(2, to: 2)]))
        #expect(try after.json()["line"] == 4)
    }

    @Test("An upload can't exceed the limit, neither as sent nor unpacked")
    func limits() async throws {
        let server = try TestServer { $0.limits.upload = 100_000 }
        let body = tape(Sample.counting(to: 5_000))
        #expect(body.count > 100_000)
        let long = try await server.http.send("POST", "/api/v1/sessions", bytes: body)
        #expect(long.status == 413 && long.text.contains("100000"))
        let bomb = try await server.http.send("POST", "/api/v1/sessions", bytes: try Gzip.pack(body))
        #expect(bomb.status == 413 && bomb.text.contains("100000"), "\(bomb.text)")
    }

    @Test("A part of a longer tape has its states, and continues a tape that ends where it starts")
    func part() async throws {
        let lines = Sample.counting(to: 3_000)
        _ = try await upload(tape(lines))
        let part = try await server.http.get(path + "/tape?from=1500")
        let other = try TestServer()
        let answer = try await other.http.send("POST", "/api/v1/sessions", bytes: part.body)
        #expect(answer.status == 201)
        #expect(try answer.json()["from"] == 1_500 && answer.json()["complete"] == false)
        for isSealed in [false, true] {
            if isSealed { try await other.until { try await $0.get(path).json()["sealed"] == 3_000 } }
            for seq in [1_500, 1_777, 2_999] {
                let state = try await other.http.get(path + "/states/\(seq)")
                #expect(try state.json() == ["n": .number(.init(seq))])
            }
            #expect(try await other.http.get(path + "/states/1499").status == 404)
            #expect(try await other.http.get(path + "/events?limit=1").lines == [lines[1_500].bytes])
            #expect(try await other.http.get(path + "/tape").body == part.body)
        }
        let before = try await other.http.send("POST", "/api/v1/sessions", bytes: tape(lines))
        #expect(before.status == 409)

        let third = try TestServer()
        _ = try await third.http.send("POST", "/api/v1/sessions", bytes: tape(Array(lines[..<1_000])))
        let hole = try await third.http.send("POST", "/api/v1/sessions", bytes: part.body)
        #expect(try hole.status == 409 && hole.json()["next"] == 1_000)
        _ = try await third.http.send("POST", "/api/v1/sessions", bytes: tape(Array(lines[..<1_500])))
        let joined = try await third.http.send("POST", "/api/v1/sessions", bytes: part.body)
        #expect(joined.status == 200)
        #expect(try joined.json()["added"] == 1_500)
        #expect(try await third.http.get(path + "/states/2999").json() == ["n": 2_999])
    }

    @Test("A deleted session can be uploaded again, with another version")
    func again() async throws {
        let first = try await upload(tape(Sample.counting(to: 3))).json()
        _ = try await server.http.send("DELETE", path)
        let second = try await upload(tape(Sample.counting(to: 3)))
        #expect(second.status == 201)
        #expect(try second.json()["version"] != first["version"])
        #expect(try await events().count == 3)
    }

    @Test("Interrupted uploads keep their whole lines and don't block others")
    func broken() async throws {
        let body = tape(Sample.counting(to: 200))
        let query = "?session=\(Sample.header().session)&from=999"
        for count in 1...20 {
            let part = Array(body.prefix(count * 500))
            let answer = try? await server.http.send(
                "POST", "/api/v1/sessions", bytes: part, announced: body.count)
            #expect(answer == nil)
            // Its lines may still be on the way, and would be dropped if the next upload were faster.
            let lines = part.count { $0 == 10 } - 1
            try await server.until { http in
                let held = try await http.send("POST", "/api/v1/sessions" + query, bytes: []).json()
                return held["next"]?.int ?? 0 >= lines
            }
        }
        #expect(try await server.http.get(path).status == 404)
        let summary = try await upload(body).json()
        #expect(summary["events"] == 200 && (1..<150).contains(summary["added"]?.int ?? 0), "\(summary)")
        #expect(try await server.http.get(path + "/tape").lines.count == 201)
    }

    @Test("An interrupted upload survives a restart, and is deleted after the resume window")
    func left() async throws {
        let folder = TemporaryFolder()
        let first = try TestServer(in: folder)
        let half = tape(Sample.counting(to: 3)) + Array("bad\n".utf8)
        #expect(try await first.http.send("POST", "/api/v1/sessions", bytes: half).status == 422)
        first.server.stop()

        let second = try TestServer(in: folder)
        let query = "?session=\(Sample.header().session)&from=9"
        let held = try await second.http.send("POST", "/api/v1/sessions" + query, bytes: [])
        #expect(try held.json()["next"] == 3)
        second.server.stop()

        let archive = try Engine.chosen.open(folder.url)
        #expect(try archive.deleteUploads(before: 0) == [])
        #expect(try archive.upload(Sample.header().session) != nil)
        #expect(try archive.deleteUploads(before: .max) == [])
        #expect(try archive.upload(Sample.header().session) == nil)
        while try archive.sweep() {}
        try archive.close()
        let third = try TestServer(in: folder)
        let whole = tape(Sample.counting(to: 3))
        #expect(try await third.http.send("POST", "/api/v1/sessions", bytes: whole).json()["added"] == 3)
    }

    @Test("A viewer of a session sees the lines that an upload adds")
    func watched() async throws {
        let lines = Sample.counting(to: 4)
        _ = try await upload(tape(Array(lines[..<2])))
        let viewer = await server.viewer()
        viewer.send([ViewerRequest.watch(session: Sample.header().session).bytes])
        #expect(try await viewer.watching() == 2)
        _ = try await upload(tape(lines))
        #expect(try await viewer.event()["seq"] == 2)
        #expect(try await viewer.event()["seq"] == 3)
    }
}
