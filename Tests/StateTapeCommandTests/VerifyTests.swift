import Foundation
import TapeFormat
import Testing

@testable import StateTapeCommand

@Suite("verify", .timeLimit(.minutes(1)))
struct VerifyTests {
    private let folder = try? TestFolder()

    private func file(_ name: String, _ content: Data) throws -> String {
        try #require(folder).write(name, content)
    }

    @Test("Undamaged tapes pass, plain and gzipped")
    func good() throws {
        let plain = try file("good.tape", SampleTape.make(20))
        let packed = try CommandProcess.gzip(URL(fileURLWithPath: plain)).path
        let result = try CommandProcess.run(["verify", plain, packed])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == "\(plain): 20 events: no problems.\n\(packed): 20 events: no problems.\n")
    }

    @Test("Each invalid file gives its name, the place and what to do, and the exit code is 1")
    func bad() throws {
        let whole = SampleTape.make(20)
        func replacing(_ old: String, _ new: String) -> Data {
            Data(String(decoding: whole, as: UTF8.self).replacing(old, with: new, maxReplacements: 1).utf8)
        }
        let started = try #require(
            String(decoding: whole, as: UTF8.self).firstMatch(of: /"started":"[^"]*"/).map { String($0.0) })
        let at = try #require(
            String(decoding: whole, as: UTF8.self).firstMatch(of: /"seq":7,"at":[0-9.]+/).map { String($0.0) })
        var lines = whole.split(separator: 10).map { Data($0) }
        lines[5] = Data("{}".utf8)
        let damaged = Data(lines.joined(separator: [10]))
        lines = whole.split(separator: 10).map { Data($0) }
        lines[8] = Data(String(decoding: lines[8], as: UTF8.self).replacing("\"/n\"", with: "\"/none/n\"").utf8)
        let patch = Data((lines + [Data()]).joined(separator: [10]))
        for (content, parts) in [
            (
                Data(whole.dropLast(9)),
                [": line 21 is cut off. To keep the 19 events before it, run `statetape export "]
            ),
            (Data(), [" is neither a tape", ": it is empty. To make a tape, run an app"]),
            (Data("notes\n".utf8), [" is neither a tape", ": line 1 is not a tape's header. To make a tape"]),
            (whole + whole, [": line 22: another tape begins there", "Split the file before line 22."]),
            (damaged, [": line 6: member “seq”", "run `head -n 5 "]),
            (patch, [": event 7: its patch doesn't apply: "]),
            (Data("{\"tape\":1}\n".utf8), [": line 1: member “session”"]),
            (
                replacing(started, #""started":"yesterday""#),
                [": line 1: member “started” of the header must be a date in ISO 8601, such as ", "“yesterday”."]
            ),
            (replacing(started, #""started":"2026-02-30T00:00:00Z""#), ["“2026-02-30T00:00:00Z”."]),
            (
                replacing(at, #"\#(at),"error":5,"took":-1,"dispatch":1.5,"cause":"x","caller":null"#),
                [
                    ": event 7: member “error” must be a text, but is 5\n",
                    "“took” must be a number of ms, 0 or more",
                    "“dispatch” must be a whole number", "“cause” must be an object", "“caller” must be a text",
                ]
            ),
            (
                replacing(at, #"\#(at),"level":"fatal","unfinished":"x","cause":{"seq":7}"#),
                [
                    "“level” must be info, warning or error, but is \"fatal\"", "“unfinished” must be true",
                    "“cause” must name an earlier event, but names 7",
                ]
            ),
            (Data(#"{"a":tru}"#.utf8), [" is neither a tape", ": a JSON value is expected, at byte 5."]),
            (replacing(at, #""seq":7,"at":0"#), [": event 7: member “at” goes back from "]),
        ] {
            let path = try file("bad.tape", content)
            let result = try CommandProcess.run(["verify", path])
            #expect(
                result.status == 1 && result.output.hasPrefix(path), "\(parts): \(result.output)\(result.errors)")
            for part in parts { #expect(result.output.contains(part), "\(result.output)") }
        }
        let none = try CommandProcess.run(["verify", "/no/such.tape"])
        #expect(
            none.status == 1
                && none.output.contains("/no/such.tape can't be read: No such file or directory. Check"))
        #expect(try CommandProcess.run(["verify"]).status == 64)
    }

    @Test("A tape whose clock is wrong is imported all the same: its events are not lost")
    func lenient() throws {
        let server = try ServerProcess()
        let text = String(decoding: SampleTape.make(5), as: UTF8.self)
            .replacing(/"started":"[^"]*"/, with: #""started":"yesterday""#).replacing(
                /"seq":4,"at":[0-9.]+/, with: #""seq":4,"at":0"#)
        let path = try file("clock.tape", Data(text.utf8))
        #expect(try server.run("import", path).output == "\(SampleTape.session) 5 new events\n")
        #expect(try server.run("sessions").status == 0)
    }

    @Test("--junit writes a test case for each tape, with its problems escaped")
    func junit() throws {
        let good = try file("good.tape", SampleTape.make(5))
        let bad = try file("<b> & \"c\".tape", Data("x".utf8))
        let report = try file("report.xml", Data())
        let result = try CommandProcess.run(["verify", good, bad, "--junit", report])
        #expect(result.status == 1, "\(result.errors)")
        let text = try String(contentsOfFile: report, encoding: .utf8)
        #expect(text.contains("<testsuites tests=\"2\" failures=\"1\" errors=\"0\">"))
        #expect(text.contains("name=\"\(good)\" />"))
        #expect(text.contains("&lt;b&gt; &amp; &quot;c&quot;.tape\"><failure message=\""))
        _ = try JUnitDocument([UInt8](text.utf8))
    }
}

@Suite("diff --ignore", .timeLimit(.minutes(1)))
struct DiffIgnoreTests {
    private let folder = try? TestFolder()

    private func tape(_ name: String, session: String = SampleTape.session, id: Int, time: Int, n: Int = 1) throws
        -> String
    {
        let header = Header(session: session, app: .init(id: "com.example"), started: "2026-11-20T10:00:00Z")
        let lines = [
            EventLine(seq: 0, at: 0, kind: .`init`, members: [("state", ["n": 0, "list": [["at": 0]]])]),
            EventLine(
                seq: 1, at: 1, kind: .action,
                members: [
                    ("action", ["type": "add", "payload": ["id": .number(.init(id))]]),
                    (
                        "patch",
                        [
                            ["op": "replace", "path": "/list/0/at", "value": .number(.init(time))],
                            ["op": "replace", "path": "/n", "value": .number(.init(n))],
                        ]
                    ),
                ]),
        ]
        let bytes = lines.reduce(into: header.json.bytes + [10]) { $0 += $1.bytes + [10] }
        return try #require(folder).write(name, Data(bytes))
    }

    @Test("Ignored values of states and payloads don't count; others do")
    func files() throws {
        let one = try tape("one.tape", id: 1, time: 5)
        let two = try tape("two.tape", id: 2, time: 6)
        func diff(_ arguments: String...) throws -> CommandProcess.Result {
            try CommandProcess.run(["diff", one, two] + arguments)
        }
        #expect(try diff().status == 1)
        #expect(try diff().output.contains("\n  at /payload/id: 1 in the first, 2 in the second\n"))
        #expect(try !diff("--ignore", "/payload/id").output.contains("\n  at "))
        #expect(try diff("--ignore", "/payload/id").output.contains("led to different states"))
        #expect(try diff("--ignore", "/**/at").output.contains("the actions differ"))
        for patterns in [["/payload/id", "/**/at"], ["/payload", "/list/*/at"], ["/**/id", "/list"], ["/**"]] {
            let result = try CommandProcess.run(["diff", one, two] + patterns.flatMap { ["--ignore", $0] })
            #expect(result.status == 0 && result.output.hasPrefix("No difference"), "\(patterns): \(result.output)")
        }
        let other = try tape("other.tape", id: 1, time: 7, n: 3)
        let result = try CommandProcess.run(["diff", one, other, "--ignore", "/**/at"])
        #expect(result.status == 1 && result.output.contains(#"{"op":"replace","path":"/n","value":3}"#))
        #expect(!result.output.contains("/at"), "\(result.output)")
    }

    @Test("An ignored value that an action copies to another place counts there")
    func copied() throws {
        func tape(_ value: Int) throws -> String {
            let lines = [
                #"{"tape":1,"session":"SESSION-000\#(value)","app":{"id":"a"},"started":"2026-11-20T10:00:00Z"}"#,
                #"{"seq":0,"at":0,"event":"init","state":{"a":\#(value),"b":0}}"#,
                #"{"seq":1,"at":1,"event":"action","action":{"type":"n"},"patch":[]}"#,
                #"{"seq":2,"at":2,"event":"action","action":{"type":"c"},"patch":[{"op":"copy","from":"/a","path":"/b"}]}"#,
            ]
            return try #require(folder).write("\(value).tape", Data((lines.joined(separator: "\n") + "\n").utf8))
        }
        let result = try CommandProcess.run(["diff", tape(1), tape(2), "--ignore", "/a"])
        #expect(result.status == 1 && result.output.contains("#2 c"), "\(result.output)\(result.errors)")
    }

    @Test("Two sessions of a server are compared without ignored values")
    func sessions() throws {
        let server = try ServerProcess()
        let (one, two) = ("SESSION-ONE-1", "SESSION-TWO-2")
        _ = try server.run("import", tape("one.tape", session: one, id: 1, time: 5))
        _ = try server.run("import", tape("two.tape", session: two, id: 1, time: 6))
        #expect(try server.run("diff", one, two).status == 1)
        let same = try server.run("diff", one, two, "--ignore", "/list/0/at")
        #expect(same.status == 0, "\(same.output)\(same.errors)")
    }

    @Test("An error exits with 2, an invalid path with 64")
    func trouble() throws {
        let one = try tape("one.tape", id: 1, time: 5)
        let bad = try #require(folder).write("bad.tape", Data("x".utf8))
        for other in [bad, "/no/such.tape"] {
            let result = try CommandProcess.run(["diff", one, other])
            #expect(result.status == 2 && result.errors.contains(other), "\(result.errors)")
        }
        let away = try CommandProcess.run(["diff", "SESSION-ONE-1", "SESSION-TWO-2"], server: "http://127.0.0.1:1")
        #expect(away.status == 2 && away.errors.contains("Can't reach the server"), "\(away.errors)")
        let path = try CommandProcess.run(["diff", one, one, "--ignore", "at"])
        #expect(path.status == 64 && path.errors.contains("path “at” must begin with “/”"), "\(path.errors)")
    }
}
