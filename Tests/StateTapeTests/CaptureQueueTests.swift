import Testing

@testable import StateTape

private class Stub: PendingEvent {
    let number: Int

    init(_ number: Int, cost: Int = 0, weight: Int = 0, isDroppable: Bool = true) {
        self.number = number
        super.init(isDroppable: isDroppable)
        self.cost = cost
        self.weight = weight
    }

    override func bare() -> PendingEvent? { cost > 0 && isDroppable ? Stub(number, weight: weight) : nil }
}

/// A state that is nothing without itself.
private final class Whole: Stub {
    override func bare() -> PendingEvent? { nil }
}

@Suite("The queue between the app and the recorder's thread")
struct CaptureQueueTests {
    private func numbers(_ taken: (dropped: Int, events: [PendingEvent])?) -> [Int] {
        numbers(taken?.events ?? [])
    }

    private func numbers(_ events: [PendingEvent]) -> [Int] { events.compactMap { ($0 as? Stub)?.number } }

    @Test("The recorder is called for the first event, then looks by itself, later each time that it finds nothing")
    func calls() {
        var queue = CaptureQueue()
        let calls = (0..<4).map { queue.append(Stub($0)).callsRecorder }
        #expect(calls == [true, false, false, false])
        #expect(numbers(queue.take()) == [0, 1, 2, 3])
        #expect(queue.pause == CaptureQueue.pauses[0])
        let isCalled4 = queue.append(Stub(4)).callsRecorder
        #expect(!isCalled4)
        let withWork = (0..<9).map { _ in queue.look() }
        #expect(!withWork.contains(true) && queue.pause == CaptureQueue.pauses[0])
        #expect(numbers(queue.take()) == [4])
        for pause in CaptureQueue.pauses {
            #expect(queue.pause == pause)
            #expect(queue.look() == (pause == CaptureQueue.pauses.last))
        }
        #expect(queue.take() == nil && queue.pause == nil)
        let isCalled5 = queue.append(Stub(5)).callsRecorder
        #expect(isCalled5)
    }

    @Test("An event that can't wait calls the recorder once")
    func urgent() {
        var queue = CaptureQueue()
        _ = queue.append(Stub(0))
        _ = queue.take()
        let calls = [true, false, false].enumerated().map { index, isDroppable in
            queue.append(Stub(index, isDroppable: isDroppable)).callsRecorder
        }
        #expect(calls == [false, true, false])
    }

    @Test("The recorder is called early for many events or large states")
    func gathered() {
        var queue = CaptureQueue()
        _ = queue.append(Stub(0))
        _ = queue.take()
        let calls = (1...600).filter { queue.append(Stub($0)).callsRecorder }
        #expect(calls == [CaptureQueue.callCount])
        _ = queue.take()
        let costly = (1...4).filter { queue.append(Stub($0, cost: CaptureQueue.callCost / 2)).callsRecorder }
        #expect(costly == [2])
    }

    @Test("Beyond the bound of states, no more are accepted until they are taken")
    func states() {
        var queue = CaptureQueue()
        let isFull = (0..<6).map { queue.append(Stub($0, cost: CaptureQueue.maxCost / 4)).isFull }
        #expect(isFull == [false, false, false, false, false, true])
        #expect(numbers(queue.take()) == Array(0..<6))
        let isFullAfter = queue.append(Stub(6, cost: CaptureQueue.maxCost / 4)).isFull
        #expect(!isFullAfter)
    }

    @Test(
        "At twice the bound, the oldest states are removed and their events stay")
    func insisting() {
        var queue = CaptureQueue()
        for number in 0...8 { _ = queue.append(Stub(number, cost: CaptureQueue.maxCost / 4)) }
        #expect(queue.takeGarbage().isEmpty)
        // The largest state does not count.
        _ = queue.append(Stub(9, cost: CaptureQueue.maxCost / 4))
        #expect(numbers(queue.takeGarbage()) == Array(0...4))
        let taken = queue.take()
        #expect(taken?.dropped == 0)
        #expect(numbers(taken) == Array(0...9))
        #expect(taken?.events.map { $0.cost > 0 } == (0...9).map { $0 > 4 })
    }

    @Test(
        "One state of any size costs neither its own event nor others a state",
        arguments: [CaptureQueue.maxCost, 2 * CaptureQueue.maxCost].flatMap { limit in
            [50, 99, 101, 300].map { limit / 100 * $0 }
        }, [true, false])
    func large(cost: Int, isWhole: Bool) {
        var queue = CaptureQueue()
        for number in 0..<10 { _ = queue.append(Stub(number, cost: 1)) }
        let large = isWhole ? Whole(10, cost: cost) : Stub(10, cost: cost)
        #expect(!queue.append(large).isFull)
        for number in 11..<20 { _ = queue.append(Stub(number)) }
        let taken = queue.take()
        #expect(taken?.dropped == 0 && numbers(taken) == Array(0..<20))
        #expect(taken?.events.prefix(11).allSatisfy { $0.cost > 0 } == true)
    }

    @Test("Beyond the bound, states that can't be removed are dropped, the oldest first")
    func insistingWhole() {
        var queue = CaptureQueue()
        for number in 0...9 {
            _ = queue.append(Whole(number, cost: CaptureQueue.maxCost / 4))
        }
        let taken = queue.take()
        #expect(taken?.dropped == 5)
        #expect(numbers(taken) == Array(5...9))
    }

    @Test(
        "At half the event bound, no more states are accepted; at the bound, the oldest states are lost, no event is"
    )
    func many() {
        var queue = CaptureQueue()
        let (count, half) = (CaptureQueue.maxCount, CaptureQueue.maxCount / 2)
        let full = (0...3 * count).map { queue.append(Stub($0, cost: 1)).isFull }
        #expect(full.firstIndex(of: true) == half)
        #expect(numbers(queue.takeGarbage()).first == 0)
        let taken = queue.take()
        #expect(taken?.dropped == 0)
        #expect(numbers(taken) == Array(0...3 * count))
        #expect((taken?.events.count { $0.cost > 0 } ?? 0) <= count)
    }

    @Test("Beyond the byte bound, the oldest half is dropped, counted, and left to the cleaner")
    func drops() {
        var queue = CaptureQueue()
        let weight = CaptureQueue.maxWeight / 100 - CaptureQueue.baseWeight
        let calls = (0...100).filter { queue.append(Stub($0, weight: weight)).callsCleaner }
        #expect(calls == [100])
        #expect(numbers(queue.takeGarbage()) == Array(0..<50))
        #expect(queue.takeGarbage().isEmpty)
        let again = (101...150).filter { queue.append(Stub($0, weight: weight)).callsCleaner }
        #expect(again == [150])
        let taken = queue.take()
        #expect(taken?.dropped == 100)
        #expect(numbers(taken) == Array(100...150))
    }

    @Test("Events that attach a store or answer a push are never dropped")
    func keeps() {
        var queue = CaptureQueue()
        let weight = CaptureQueue.maxWeight / 100 - CaptureQueue.baseWeight
        for number in 0...100 { _ = queue.append(Stub(number, weight: weight, isDroppable: number != 3)) }
        let taken = queue.take()
        #expect(taken?.dropped == 49)
        #expect(numbers(taken).prefix(2) == [3, 50])
    }

    @Test("A closed queue accepts nothing")
    func closed() {
        var queue = CaptureQueue()
        _ = queue.append(Stub(0))
        #expect(numbers(queue.close()) == [0])
        let result = queue.append(Stub(1))
        #expect(result == CaptureQueue.SubmitResult())
        #expect(queue.take() == nil)
    }
}
