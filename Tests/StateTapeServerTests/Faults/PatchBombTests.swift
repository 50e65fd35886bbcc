import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeEngine

@Suite(.timeLimit(.minutes(2))) struct PatchBombTests {
    private static let path = TestServer.session

    private static func nested(_ depth: Int) -> JSON { (0..<depth).reduce(0) { value, _ in ["a": value] } }
    private static func deep(_ depth: Int) -> String { String(repeating: "/a", count: depth) }
    private static func patch(_ seq: Int, _ operations: [JSON]) -> EventLine {
        Sample.action(seq, ("patch", .array(operations)))
    }

    /// Patches of a few hundred bytes that once crashed a server, each followed by normal events.
    private static let bombs: [(name: String, before: JSON, patches: [[JSON]])] = [
        (
            "depth", ["a": 0],
            [(0..<17).map { ["op": "copy", "from": "", "path": .string(deep(min(1 << $0, 60_000)))] }]
        ),
        (
            "size", ["a": ["0123456789"]],
            [Array(repeating: ["op": "copy", "from": "/a", "path": "/a/-"], count: 40)]
        ),
        (
            "levels", nested(480),
            (1...20).map { [["op": "add", "path": .string(deep(480 * $0)), "value": nested(480)]] }
        ),
        (
            "work", .array(Array(repeating: 0, count: 300_000)),
            [Array(repeating: ["op": "add", "path": "/0", "value": 0], count: 5_000)]
        ),
    ]

    @Test("A patch bomb breaks only its event, now and after a restart", arguments: 0..<4)
    func bomb(_ number: Int) async throws {
        let (_, before, patches) = Self.bombs[number]
        var lines = [Sample.start(0, before)] + patches.enumerated().map { Self.patch($0 + 1, $1) }
        let last = lines.count
        lines += [Sample.full(last, ["n": 0]), Sample.count(last + 1, to: 1)]
        let folder = TemporaryFolder()
        do {
            let server = try TestServer(in: folder)
            let app = try await server.recorded(lines)
            _ = try await app.want()
            app.close()
            try await server.sealed(lines.count)
        }
        let server = try TestServer(in: folder)
        #expect(try await server.http.get(Self.path + "/states/0").json() == before)
        let broken = try await server.http.get(Self.path + "/states/\(last - 1)")
        #expect(broken.code == "broken")
        #expect(try broken.json()["after"]?.int == last)
        #expect(try await server.http.get(Self.path + "/states/\(last + 1)").json() == ["n": 1])
        #expect(try await server.http.get(Self.path + "/events").lines == lines.map(\.bytes))
        for place in ["/overview", "/histogram", "/tape", "/diff/" + Sample.header().session] {
            #expect(try await server.http.get(Self.path + place).status == 200, "\(place)")
        }
        var problems: [String] = []
        _ = try ArchiveCheck.run(
            .folder(folder.url), logger: PrivatePostgres.logger, tell: { problems.append($0) }, progress: { _ in })
        #expect(problems == [])
        #expect(try await server.http.send("DELETE", Self.path).status == 204)
    }

    @Test("A state that patches make larger than the limit is broken until the next full one")
    func size() throws {
        let archive = try TestArchive(maxState: 1_000_000)
        let text = JSON.string(String(repeating: "x", count: 300_000))
        let lines =
            [Sample.start(0, [:])]
            + (1...4).map { Self.patch($0, [["op": "add", "path": .string("/k\($0)"), "value": text]]) }
            + [Sample.full(5, ["n": 0]), Sample.count(6, to: 1)]
        let session = try archive.record(lines)
        guard
            case .state(let state) = try archive.states.state(of: archive.tapes[session], store: "main", after: 3),
            case .broken(let before, let after) = try archive.states.state(
                of: archive.tapes[session], store: "main", after: 4)
        else { throw Ended(description: "the limit is not kept") }
        #expect(try state.json().object?.count == 3 && before == 3 && after == 5)
        try archive.seal(session)
        #expect(try archive.states.state(of: archive.tapes[session], store: "main", after: 6).isState)
        #expect(try archive.problems() == [])
    }

    @Test("The cache's size is counted in real memory")
    func memory() throws {
        // Four bytes of text per array, but each array has a buffer of its own.
        let arrays = JSON.array(Array(repeating: [0], count: 100_000))
        var cursor = StateCursor(store: "main", before: 0, isAttached: false, maxState: Limits.state)
        _ = cursor.take(Sample.start(0, arrays))
        #expect(cursor.cost > 5_000_000)
        _ = cursor.take(Self.patch(1, [["op": "replace", "path": "", "value": 0]]))
        for seq in 2..<10_000 {
            _ = cursor.take(Self.patch(seq, [["op": "replace", "path": "", "value": "12345678"]]))
        }
        #expect(cursor.cost < 2_000_000)
    }
}

extension States.Answer {
    fileprivate var isState: Bool { if case .state = self { true } else { false } }
}
