import Testing

@testable import StateTape

@Suite("Which states are asked for")
struct DemandTests {
    private func record(_ demand: inout Demand, at: Int = 0, always: Bool = false, isFull: Bool = false) -> Bool {
        let isWanted = demand.begin(at: .milliseconds(at), always: always)
        demand.end(hasState: isWanted, isFull: isFull)
        return isWanted
    }

    @Test("Every state is wanted until the recorder has enough, and again once one is written")
    func every() {
        var demand = Demand(.every)
        let first = (0..<3).map { record(&demand, isFull: $0 == 2) }
        #expect(first == [true, true, true])
        let full = record(&demand)
        #expect(!full)
        demand.ask()
        let again = record(&demand)
        #expect(again)
    }

    @Test("The latest is wanted once for each that is written")
    func latest() {
        var demand = Demand(.sampled(.zero))
        let first = (0..<3).map { _ in record(&demand) }
        #expect(first == [true, false, false])
        demand.ask()
        let second = (0..<3).map { _ in record(&demand) }
        #expect(second == [true, false, false])
    }

    @Test("Two recordings at once don't both capture the latest state")
    func overlapping() {
        var demand = Demand(.sampled(.zero))
        let wanted = [demand.begin(at: .zero), demand.begin(at: .zero)]
        #expect(wanted == [true, false])
    }

    @Test("A sampled state is wanted when its time has come and the one before is written")
    func sampled() {
        var demand = Demand(.sampled(.milliseconds(100)))
        let first = record(&demand, at: 5)
        demand.ask()
        let early = record(&demand, at: 104)
        let due = record(&demand, at: 105)
        let unwritten = record(&demand, at: 300)
        #expect([first, early, due, unwritten] == [true, false, true, false])
    }

    @Test("Without states only what can't do without brings one")
    func never() {
        var demand = Demand(.never)
        let action = record(&demand)
        let set = record(&demand, always: true)
        #expect(!action && set)
        _ = record(&demand)
        let wait = demand.fallQuiet(at: .zero)
        #expect(wait == nil)
    }

    @Test("A quiet app is asked for a state if the last was skipped, no sooner than it is due")
    func quiet() {
        var demand = Demand(.sampled(.milliseconds(100)))
        _ = record(&demand, at: 0)
        let captured = demand.fallQuiet(at: .milliseconds(10))
        _ = record(&demand, at: 20)
        let skipped = demand.fallQuiet(at: .milliseconds(30))
        let waiting = demand.fallQuiet(at: .milliseconds(40))
        let early = demand.trail(after: 2, at: .milliseconds(99))
        let over = demand.fallQuiet(at: .milliseconds(100), isWaitOver: true)
        let trails = demand.trail(after: 2, at: .milliseconds(100))
        let done = demand.fallQuiet(at: .milliseconds(200))
        #expect(captured == nil)
        #expect(skipped == .milliseconds(70) && waiting == nil)
        #expect(!early && trails)
        #expect(over == .zero && done == nil)
    }

    @Test("A state that was read around a recording is none to put after it")
    func order() {
        var demand = Demand(.sampled(.zero))
        _ = record(&demand)
        _ = record(&demand)
        let before = demand.recorded
        _ = demand.begin(at: .zero)
        let during = demand.trail(after: before, at: .zero)
        demand.end(hasState: false, isFull: false)
        let after = demand.trail(after: before, at: .zero)
        let since = demand.trail(after: demand.recorded, at: .zero)
        #expect(!during && !after && since)
    }

    @Test("Dropped events put the tape behind, whatever the policy")
    func lost() {
        var demand = Demand(.every)
        _ = record(&demand, isFull: true)
        demand.lose()
        let wait = demand.fallQuiet(at: .zero)
        #expect(wait == .zero)
        let isWanted = record(&demand)
        #expect(isWanted)
    }
}
