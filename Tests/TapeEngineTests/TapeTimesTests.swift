import SampleTapes
import TapeFormat
import Testing

@testable import TapeEngine

@Suite("The times of a tape") struct TapeTimesTests {
    @Test(
        "A start is a date in ISO 8601 that exists",
        arguments: [
            ("2026-11-20T10:00:00.123Z", true), ("2026-11-20T10:00:00Z", true), ("2026-11-20T10:00:00,5+01:00", true),
            ("2026-11-20T10:00+0100", true), ("2026-11-20T10:00:00", true), ("2026-11-20", true),
            ("2024-02-29T00:00:00Z", true), ("2000-02-29T00:00:00Z", true), ("+275760-09-13T00:00:00.000Z", true),
            ("2026-02-30T00:00:00Z", false), ("2026-02-29T00:00:00Z", false), ("1900-02-29T00:00:00Z", false),
            ("2026-04-31T00:00:00Z", false), ("2026-13-01T00:00:00Z", false), ("2026-00-01T00:00:00Z", false),
            ("2026-11-20T24:00:00Z", false), ("2026-11-20T10:60:00Z", false), ("2026-11-20T10:00:60Z", false),
            ("yesterday", false), ("", false), ("2026-11-20 10:00:00Z", false), ("1763632800", false),
            ("20261120T100000Z", false), ("2026-11-20T10:00:00Zulu", false), ("２０２６-11-20", false),
        ])
    func dates(_ text: String, _ isDate: Bool) {
        var header = Sample.header()
        header.started = text
        #expect((TapeTimes(header).headerProblem == nil) == isDate, "\(text)")
    }

    @Test("Each event that is before the one ahead is reported with both times")
    func back() throws {
        var times = TapeTimes(Sample.header())
        let problems = try ["0", "5.5", "5.50", "5.499", "7", "7", "1"].enumerated().compactMap { seq, at in
            times.take(try EventLine(parsing: Array(#"{"seq":\#(seq),"at":\#(at),"event":"x"}"#.utf8)))
        }
        #expect(
            problems == [
                "event 3: member “at” goes back from 5.50 to 5.499 ms", "event 6: member “at” goes back from 7 to 1 ms",
            ])
    }
}
