import Testing

@testable import StateTape

@Suite("Capture schedule")
struct CaptureScheduleTests {
    private func record(_ schedule: inout CaptureSchedule, at: Int = 0, always: Bool = false, isFull: Bool = false)
        -> Bool
    {
        let isWanted = schedule.begin(at: .milliseconds(at), always: always)
        schedule.end(hasState: isWanted, isFull: isFull)
        return isWanted
    }

    @Test("Every state is captured until the queue is full, and again once one is written")
    func every() {
        var schedule = CaptureSchedule(.every)
        let first = (0..<3).map { record(&schedule, isFull: $0 == 2) }
        #expect(first == [true, true, true])
        let full = record(&schedule, isFull: true)
        #expect(!full)
        schedule.wrote()
        let again = record(&schedule)
        #expect(again)
    }

    @Test("The latest state is captured once for each written one")
    func latest() {
        var schedule = CaptureSchedule(.sampled(.zero))
        let first = (0..<3).map { _ in record(&schedule) }
        #expect(first == [true, false, false])
        schedule.wrote()
        let second = (0..<3).map { _ in record(&schedule) }
        #expect(second == [true, false, false])
    }

    @Test("Two recordings at once don't both capture the latest state")
    func overlapping() {
        var schedule = CaptureSchedule(.sampled(.zero))
        let wanted = [schedule.begin(at: .zero), schedule.begin(at: .zero)]
        #expect(wanted == [true, false])
    }

    @Test("A sampled state is captured when it is due and the last one is written")
    func sampled() {
        var schedule = CaptureSchedule(.sampled(.milliseconds(100)))
        let first = record(&schedule, at: 5)
        schedule.wrote()
        let early = record(&schedule, at: 104)
        let due = record(&schedule, at: 105)
        let unwritten = record(&schedule, at: 300)
        #expect([first, early, due, unwritten] == [true, false, true, false])
    }

    @Test("In actions-only mode, only events that need a state carry one")
    func never() {
        var schedule = CaptureSchedule(.never)
        let action = record(&schedule)
        let set = record(&schedule, always: true)
        #expect(!action && set)
        _ = record(&schedule)
        let wait = schedule.didBecomeIdle(at: .zero)
        #expect(wait == nil)
    }

    @Test("An idle app is asked for its state if the last was skipped, but not before it is due")
    func quiet() {
        var schedule = CaptureSchedule(.sampled(.milliseconds(100)))
        _ = record(&schedule, at: 0)
        let captured = schedule.didBecomeIdle(at: .milliseconds(10))
        _ = record(&schedule, at: 20)
        let skipped = schedule.didBecomeIdle(at: .milliseconds(30))
        let waiting = schedule.didBecomeIdle(at: .milliseconds(40))
        let early = schedule.trail(after: 2, at: .milliseconds(99))
        let over = schedule.didBecomeIdle(at: .milliseconds(100), isWaitOver: true)
        let trails = schedule.trail(after: 2, at: .milliseconds(100))
        let done = schedule.didBecomeIdle(at: .milliseconds(200))
        #expect(captured == nil)
        #expect(skipped == .milliseconds(70) && waiting == nil)
        #expect(!early && trails)
        #expect(over == .zero && done == nil)
    }

    @Test("A state that was read around a recording is not written after it")
    func order() {
        var schedule = CaptureSchedule(.sampled(.zero))
        _ = record(&schedule)
        _ = record(&schedule)
        let before = schedule.recorded
        _ = schedule.begin(at: .zero)
        let during = schedule.trail(after: before, at: .zero)
        schedule.end(hasState: false, isFull: false)
        let after = schedule.trail(after: before, at: .zero)
        let since = schedule.trail(after: schedule.recorded, at: .zero)
        #expect(!during && !after && since)
    }

    @Test("Dropped events put the tape behind, whatever the policy")
    func lost() {
        var schedule = CaptureSchedule(.every)
        _ = record(&schedule, isFull: true)
        schedule.lose()
        let wait = schedule.didBecomeIdle(at: .zero)
        #expect(wait == .zero)
        let isWanted = record(&schedule)
        #expect(isWanted)
    }
}
