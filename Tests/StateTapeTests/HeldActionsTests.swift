import Testing

@testable import StateTape
@testable import TapeUplink

@Suite("Queued actions")
struct HeldActionsTests {
    @Test("Past the limit the end of the lock is requested once, and again of the next lock")
    func limit() {
        var held = HeldActions()
        func requests(_ count: Int) -> Int {
            (0..<count).count { _ in if case .heldLast = held.hold(nil, .queue, { _ in }) { true } else { false } }
        }
        #expect(requests(HeldActions.limit) == 0)
        #expect(requests(10) == 1)
        held.lockAgain()
        #expect(requests(10) == 1)
        #expect(held.count == HeldActions.limit + 20)
    }

    @Test("An app that does not let the recorder unlock it is unlocked at once in the end")
    func most() {
        var held = HeldActions()
        for _ in 0..<HeldActions.maxCount { _ = held.hold(nil, .queue) { _ in } }
        #expect(held.count == HeldActions.maxCount)
        guard case .lifted = held.hold(nil, .queue, { _ in }) else {
            Issue.record("the lock was not lifted")
            return
        }
    }
}
