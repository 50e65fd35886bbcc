import TapeFormat
import Testing

@testable import StateTape
@testable import TapeUplink

@Suite("The outbox")
struct OutboxTests {
    private func note(_ seq: Int, size: Int = 10) -> EventLine {
        EventLine(
            seq: seq, at: Double(seq), kind: .note, members: [("text", .string(String(repeating: "x", count: size)))])
    }

    /// Checks that the outbox has no holes, and returns its lines as ranges.
    private func held(_ outbox: Outbox) -> [ClosedRange<Int>] {
        var ranges: [ClosedRange<Int>] = []
        var seq = outbox.first
        while let line = outbox.line(at: seq) {
            #expect(line.first == seq)
            ranges.append(line.first...line.seq)
            seq = line.seq + 1
        }
        #expect(seq == outbox.next)
        return ranges
    }

    @Test("Events stay until they are acknowledged")
    func acknowledge() {
        var outbox = Outbox()
        for seq in 0..<5 { outbox.append(note(seq)) }
        outbox.acknowledge(below: 3)
        #expect(held(outbox) == [3...3, 4...4])
        #expect(outbox.line(at: 2) == nil)
        outbox.acknowledge(below: 5)
        #expect(outbox.isEmpty && outbox.bytes == 0 && outbox.first == 5)
    }

    @Test("An acknowledgement beyond the last event empties the outbox")
    func acknowledgeMore() {
        var outbox = Outbox()
        outbox.append(note(0))
        outbox.acknowledge(below: 9)
        #expect(outbox.isEmpty && outbox.next == 1)
    }

    @Test("At the event bound, the oldest events become one gap")
    func count() {
        var outbox = Outbox(bounds: Outbox.Bounds(count: 4, bytes: 1 << 20))
        for seq in 0..<1_000 {
            outbox.append(note(seq))
            #expect(outbox.count <= 4)
        }
        #expect(held(outbox) == [0...996, 997...997, 998...998, 999...999])
        #expect(outbox.line(at: 500)?["reason"]?.string == "memory")
        #expect(outbox.line(at: 500)?.count == 997)
    }

    @Test("At the byte bound, the oldest events become one gap, and the newest segment always stays")
    func bytes() {
        var outbox = Outbox(bounds: Outbox.Bounds(count: 1_000, bytes: 2_000))
        for seq in 0..<500 {
            outbox.append(note(seq, size: 100))
            #expect(outbox.bytes <= 2_200)
        }
        #expect(held(outbox).first?.lowerBound == 0)
        outbox.append(note(500, size: 5_000))
        #expect(held(outbox).last == 500...500 && held(outbox).count <= 4)
        #expect(held(outbox).first?.lowerBound == 0)
    }

    @Test(
        "A state of any size beside the bound is written once per segment, and no event is lost before the bound",
        arguments: [1, 8].flatMap { part in [50, 99, 101, 250].map { 80_000 / part * $0 / 100 } })
    func largeState(size: Int) {
        let bounds = Outbox.Bounds(count: 100_000, bytes: 80_000)
        var outbox = Outbox(bounds: bounds)
        var (isFullDue, fulls, patches) = (true, 0, 0)
        for seq in 0..<600 {
            let member = isFullDue ? "state" : "patch"
            let text = JSON.string(String(repeating: "x", count: isFullDue ? size : 60))
            let line = EventLine(
                seq: seq, at: 0, kind: .action,
                members: [("action", ["type": "a"]), (member, isFullDue ? text : [text])])
            fulls += isFullDue ? 1 : 0
            patches += isFullDue ? 0 : line.bytes.count
            let before = outbox.bytes
            let change = outbox.append(line)
            isFullDue = change.isSegmentEnded
            if change.hasGap { #expect(before + line.bytes.count > bounds.bytes, "\(seq)") }
            #expect(outbox.bytes <= max(bounds.bytes, 2 * size + bounds.bytes / 8) + 1_000, "\(seq)")
        }
        #expect(fulls <= 1 + patches / (bounds.bytes / 8), "as many full states as segments")
        // The last full state, and all that follows it.
        let kept = held(outbox).compactMap { outbox.line(at: $0.upperBound) }
        #expect(kept.contains { $0.raw("state") != nil } || isFullDue)
        #expect(kept.count { $0.kind == .gap } <= 1)
    }

    @Test("Whole segments are dropped, the oldest first, and a new one follows each")
    func segments() {
        var outbox = Outbox(bounds: Outbox.Bounds(count: 80, bytes: 1 << 20))
        var ends: [Int] = []
        for seq in 0..<100 {
            let change = outbox.append(note(seq))
            if change.isSegmentEnded { ends.append(seq) }
            // The gap counts as a line too.
            #expect(change.hasGap == [80, 89, 99].contains(seq), "\(seq)")
        }
        #expect(ends == [9, 19, 29, 39, 49, 59, 69, 79, 89, 99])
        #expect(held(outbox).prefix(2) == [0...29, 30...30])
    }

    @Test("The gap for a partly acknowledged segment covers only the rest")
    func partlyAcknowledged() {
        var outbox = Outbox(bounds: Outbox.Bounds(count: 80, bytes: 1 << 20))
        for seq in 0..<80 { outbox.append(note(seq)) }
        outbox.acknowledge(below: 15)
        for seq in 80..<96 { outbox.append(note(seq)) }
        #expect(held(outbox).prefix(2) == [15...19, 20...20])
    }

    @Test("A partly acknowledged gap keeps the rest and its reason")
    func straddling() {
        var outbox = Outbox(bounds: Outbox.Bounds(count: 2, bytes: 1 << 20))
        for seq in 0..<10 { outbox.append(note(seq)) }
        outbox.acknowledge(below: 5)
        #expect(held(outbox) == [5...8, 9...9])
        #expect(outbox.line(at: 5)?["reason"] == "memory")
    }

    @Test("Gaps can replace one line, or all that are too long")
    func replace() {
        var outbox = Outbox()
        for seq in 0..<4 { outbox.append(note(seq, size: seq == 2 ? 900 : 5)) }
        outbox.replaceByGap(at: 1, .refused)
        outbox.replaceByGaps(longerThan: 500)
        #expect(held(outbox) == [0...0, 1...1, 2...2, 3...3])
        #expect((0..<4).map { outbox.line(at: $0)?.kind } == [.note, .gap, .gap, .note])
    }

    @Test("A gap in front replaces the events that the server lost")
    func prepend() {
        var outbox = Outbox()
        for seq in 0..<6 { outbox.append(note(seq)) }
        outbox.acknowledge(below: 4)
        outbox.prependGap(from: 1, at: 0)
        #expect(held(outbox) == [1...3, 4...4, 5...5])
        #expect(outbox.line(at: 1)?["reason"]?.string == "server-lost")
    }
}
