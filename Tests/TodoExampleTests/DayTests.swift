import Testing

@testable import TodoExample

@Suite struct DayTests {
    @Test("A day is encoded as year, month and day, and decoded", arguments: [0, -1, 11_016, 20_778, 59])
    func text(number: Int) {
        #expect(Day(Day(number: number).text) == Day(number: number))
        #expect(Day("2026-02-29") == nil)
        #expect(Day("2026-2-3") == nil)
        #expect(Day("2024-02-29")?.text == "2024-02-29")
        #expect(Day("1970-01-01")?.number == 0)
    }

    @Test("Days are formatted relative to today")
    func said() throws {
        let today = try #require(Day("2026-11-21"))
        #expect(today.short == "Sat 21 Nov")
        #expect(
            [-2, -1, 0, 1, 2, 6, 7].map { (today + $0).said(on: today) } == [
                "2 days late", "1 day late", "today", "tomorrow", "in 2 days", "in 6 days", "Sat 28 Nov",
            ])
    }
}
