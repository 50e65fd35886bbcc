import DispatchContext
import Testing

@testable import StateTape

@Suite("Positions of events")
struct EventPositionsTests {
    private var source = EventID.Source()
    private var positions = EventPositions()

    @Test("An event has its position once it is written, in any order")
    mutating func order() {
        let ids = (0..<5).map { _ in source.makeID() }
        for (number, seq) in [(1, 10), (0, 11), (4, 12)] { positions.set(seq, of: ids[number]) }
        #expect(ids.map { positions[$0] } == [11, 10, nil, nil, 12])
    }

    @Test("Ids of another source, or of none, have no position")
    mutating func foreign() {
        positions.set(7, of: source.makeID())
        var other = EventID.Source()
        #expect(positions[other.makeID()] == nil)
        #expect(positions[.none] == nil)
        #expect(EventID.none != other.makeID())
    }

    @Test("At least the last million events of a source are known, and no more than two million take memory")
    mutating func limit() {
        let ids = (0..<3 * EventPositions.limit).map { _ in source.makeID() }
        for (seq, id) in ids.enumerated() { positions.set(seq, of: id) }
        let oldest = ids.firstIndex { positions[$0] != nil } ?? 0
        #expect(oldest >= ids.count - 2 * EventPositions.limit)
        #expect(oldest <= ids.count - EventPositions.limit)
        #expect(ids.indices.dropFirst(oldest).allSatisfy { positions[ids[$0]] == $0 })
    }

    @Test("After a long pause, old events are forgotten, and new ones have a position")
    mutating func pause() {
        let old = source.makeID()
        positions.set(0, of: old)
        for _ in 0..<3 * EventPositions.limit { _ = source.makeID() }
        let new = (source.makeID(), source.makeID())
        positions.set(1, of: new.0)
        positions.set(2, of: new.1)
        #expect((positions[old], positions[new.0], positions[new.1]) == (nil, 1, 2))
    }

    @Test("Without a written event, an id has no position")
    mutating func empty() {
        #expect(positions[source.makeID()] == nil)
    }
}
