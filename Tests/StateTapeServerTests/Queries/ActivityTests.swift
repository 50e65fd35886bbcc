import SampleTapes
import TapeEngine
import TapeFormat
import Testing

@Suite struct ActivityTests {
    private func head(
        _ seq: Int, at: Double, _ kind: EventKind = .action, _ members: [(String, JSON)]? = nil,
        type: String = "add"
    ) -> EventHead {
        EventHead(
            EventLine(
                seq: seq, at: at, kind: kind,
                members: members ?? [("action", ["type": .string(type)]), ("skipped", true)]))
    }

    private func activity(_ heads: [EventHead], buckets: Int, pause: Int = 2_000) -> JSON {
        var activity = Activity()
        for head in heads { activity.take(head) }
        return .object(JSON.Object(activity.members(buckets: buckets, pause: pause * 1_000)))
    }

    @Test("A pause of three minutes takes a tenth of the active time, and the events spread over the rest")
    func pause() {
        let times = [0.0, 1_000, 2_000, 182_000, 183_000, 184_000]
        let answer = activity(times.enumerated().map { head($0.offset, at: $0.element) }, buckets: 8)
        #expect(answer["axis"] == [[0, 0], [2_000, 2_000], [2_400, 182_000], [4_400, 184_000]])
        #expect(answer["counts"] == [1, 1, 0, 1, 1, 0, 1, 1])
        #expect(answer["seqs"] == [0, 1, .null, 2, 3, .null, 4, 5])
    }

    @Test("Events at one moment, or none, have an axis")
    func moment() {
        #expect(activity([], buckets: 2)["counts"] == [0, 0])
        #expect(activity([head(0, at: 5), head(1, at: 5)], buckets: 2)["counts"] == [2, 0])
        let far = activity([head(0, at: 0), head(1, at: 1e12)], buckets: 2)
        #expect(far["counts"] == [1, 1])
    }

    @Test("Of many pauses, the longest hundred are shortened, to at most a third of the axis")
    func pauses() throws {
        let heads = (0..<300).map { head($0, at: Double($0) * 5_000 + ($0 >= 150 ? 60_000 : 0)) }
        let axis = try #require(activity(heads, buckets: 4)["axis"]?.array)
        #expect(axis.count == 202)
    }

    @Test("The five most frequent types have counts, and the rest stands out by its kind")
    func lanes() {
        let types = (0..<7).flatMap { type in Array(repeating: "t\(type)", count: 7 - type) }
        var heads = types.enumerated().map { head($0.offset, at: Double($0.offset), type: $0.element) }
        for (level, at) in [("error", 100.0), ("warning", 101), ("info", 102)] {
            heads.append(head(heads.count, at: at, .note, [("text", "x"), ("level", .string(level))]))
        }
        heads.append(head(heads.count, at: 103, .replace, [("skipped", true), ("cause", ["push": "p"])]))
        let thrown: [(String, JSON)] = [
            ("action", ["type": "t0"]), ("skipped", true), ("error", "Declined"), ("cause", ["push": "p"]),
        ]
        heads.append(head(heads.count, at: 104, .action, thrown))
        heads.append(EventHead(Sample.gap(heads.count + 4, count: 5)))
        let answer = activity(heads, buckets: 1)
        #expect(answer["types"]?.array?.map { $0["type"]?.string } == ["t0", "t1", "t2", "t3", "t4"])
        #expect(answer["types"]?.array?.first?["counts"] == [[0, 7]])
        // An action whose reducer threw is an error, also one that was pushed.
        #expect(answer["errors"] == [[0, 2]])
        for name in ["warnings", "notes", "pushes"] { #expect(answer[name] == [[0, 1]], "\(name)") }
        #expect(answer["gaps"] == [[0, 5]])
        #expect(answer["counts"] == [.number(.init(types.count + 5))])
    }
}
