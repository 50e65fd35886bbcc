import Testing

@testable import StateTapeServer

@Suite struct SealQueueTests {
    private func all(_ turns: inout SealQueue) -> [String] {
        var sessions: [String] = []
        while let session = turns.next() { sessions.append(session) }
        return sessions
    }

    @Test("Each session is in the queue once, in the order of adding")
    func order() {
        var turns = SealQueue()
        for number in 0..<300 { turns.add("\(number % 100)") }
        #expect(turns.contains("7") && !turns.contains("100"))
        #expect(all(&turns) == (0..<100).map(String.init))
        #expect(turns.isEmpty && !turns.contains("7"))
        turns.add("7")
        #expect(all(&turns) == ["7"])
    }
}
