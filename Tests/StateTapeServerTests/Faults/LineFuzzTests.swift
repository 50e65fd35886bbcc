import Foundation
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeEngine

@Suite struct LineFuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let times = environment["STATETAPE_FUZZ"].flatMap(UInt64.init) ?? 1
    private static let first = environment["STATETAPE_SEED"].flatMap(UInt64.init) ?? 1

    private static let lines = [
        #"{"seq":1,"at":12.5,"event":"action","action":{"type":"todos/toggle","payload":{"id":1}},"patch":["#
            + #"{"op":"splice","path":"/n","at":4,"remove":2,"insert":"é"}],"took":0.004,"store":"detail#2"}"#,
        #"{"seq":7,"at":30,"event":"gap","count":3,"reason":"memory"}"#,
        #"{"seq":8,"at":31,"event":"replace","state":{"a":[1.10,-0,1e3],"b":"\u00e9"},"cause":{"push":"p7"}}"#,
        #"{"seq":3,"at":20,"event":"note","text":"pressed twice","level":"warning","data":{"presses":2}}"#,
        #"{"hello":{"tape":1,"session":"SESSION-0001","app":{"id":"a"},"started":"2026-11-20T10:00:00.123Z","#
            + #""key":"9f","next":12,"attempt":3,"compress":["deflate"]}}"#,
        #"{"pushed":{"id":"p7","seq":1301,"filled":["/theme"],"ignored":[]}}"#,
        #"{"watch":{"session":"SESSION-0001"}}"#, #"{"event":{"session":"a","line":{"seq":1},"large":["patch"]}}"#,
        #"{"welcome":{"session":"a","have":4,"server":"s","maxMessage":7,"recording":true,"locked":false}}"#,
    ]

    @Test("A valid line is the same after it is rewritten; an invalid one is refused with a position")
    func lines() throws {
        var taken = 0
        for seed in Self.first..<(Self.first + 8_000 * Self.times) {
            var mutation = Mutation(seed: seed)
            let bytes = mutation.spoil(Array(mutation.pick(Self.lines).utf8))
            let name: Comment = "STATETAPE_SEED=\(seed): \(String(decoding: bytes, as: UTF8.self))"
            do {
                _ = try AppLine(parsing: bytes)
                let line = try EventLine(parsing: bytes)
                taken += 1
                let json = try JSON(parsing: bytes)
                let again = try EventLine(parsing: json.bytes)
                let same = try JSON(parsing: again.bytes)
                #expect(line.bytes == bytes && same == json, name)
                #expect(again.seq == line.seq && again.first == line.first && again.kind == line.kind, name)
                #expect(again.at == line.at && again.store == line.store && again.type == line.type, name)
                var head: [UInt8] = []
                EventHead(line).write(to: &head)
                let parsed = try JSON(parsing: head)
                #expect(parsed["seq"]?.int == line.seq, name)
                if let patch = line["patch"] { _ = try? Patch(patch).applied(to: ["n": "some text"]) }
            } catch {
                #expect(!error.message.isEmpty && 0...bytes.count ~= error.offset ?? 0, name)
            }
            // Reading these must throw an error or succeed, but not crash.
            _ = try? ServerLine(parsing: bytes)
            _ = try? ViewerLine(parsing: bytes)
            _ = try? ViewerRequest(parsing: bytes)
        }
        #expect(taken > 100)
    }
}
