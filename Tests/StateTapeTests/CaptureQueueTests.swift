import Testing

@testable import StateTape

private final class Stub: Sample {
    let number: Int
    private(set) var cost: Int
    let isDroppable: Bool

    init(_ number: Int, cost: Int = 0, isDroppable: Bool = true) {
        self.isDroppable = isDroppable
        self.number = number
        self.cost = cost
    }

    func letGoOfState() -> Any? {
        defer { cost = 0 }
        return cost > 0 ? number : nil
    }

    func write(to session: Session) {}
}

@Suite("The queue between the app and the recorder's thread")
struct CaptureQueueTests {
    private func numbers(_ taken: (dropped: Int, samples: [any Sample])?) -> [Int] {
        taken?.samples.compactMap { ($0 as? Stub)?.number } ?? []
    }

    @Test("The recorder's thread is woken once for many samples, and again after it has fallen asleep")
    func wakes() {
        var queue = CaptureQueue()
        var garbage: [Any] = []
        let wakes = (0..<4).map { queue.append(Stub($0), garbage: &garbage) }
        #expect(wakes == [true, false, false, false])
        #expect(numbers(queue.take()) == [0, 1, 2, 3])
        let isWoken4 = queue.append(Stub(4), garbage: &garbage)
        #expect(!isWoken4)
        #expect(numbers(queue.take()) == [4])
        #expect(queue.take() == nil)
        let isWoken5 = queue.append(Stub(5), garbage: &garbage)
        #expect(isWoken5)
    }

    @Test("Past the bound of states older samples give up theirs, and the newest keeps its own")
    func states() {
        var queue = CaptureQueue()
        var garbage: [Any] = []
        for number in 0..<100 { _ = queue.append(Stub(number, cost: CaptureQueue.maxCost / 4), garbage: &garbage) }
        let samples = queue.take()?.samples ?? []
        #expect(samples.count == 100)
        #expect(samples.filter { $0.cost > 0 }.count <= 5)
        #expect((samples.last?.cost ?? 0) > 0)
        #expect(garbage.count >= 95)
    }

    @Test("Past the bound of samples the oldest half is dropped and counted")
    func drops() {
        var queue = CaptureQueue()
        var garbage: [Any] = []
        for number in 0...CaptureQueue.maxCount { _ = queue.append(Stub(number), garbage: &garbage) }
        let taken = queue.take()
        #expect(taken?.dropped == CaptureQueue.maxCount / 2)
        #expect(numbers(taken).first == CaptureQueue.maxCount / 2)
        #expect(numbers(taken).last == CaptureQueue.maxCount)
    }

    @Test("What attaches a store or answers a push is never dropped")
    func keeps() {
        var queue = CaptureQueue()
        var garbage: [Any] = []
        for number in 0...CaptureQueue.maxCount {
            _ = queue.append(Stub(number, isDroppable: number != 3), garbage: &garbage)
        }
        let taken = queue.take()
        #expect(taken?.dropped == CaptureQueue.maxCount / 2 - 1)
        #expect(numbers(taken).prefix(2) == [3, CaptureQueue.maxCount / 2])
    }

    @Test("A closed queue takes nothing")
    func closed() {
        var queue = CaptureQueue()
        var garbage: [Any] = []
        _ = queue.close()
        let isWoken1 = queue.append(Stub(1), garbage: &garbage)
        #expect(!isWoken1)
        #expect(queue.take() == nil)
    }
}
