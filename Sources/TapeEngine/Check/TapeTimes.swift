package import TapeFormat

/// Checks the times of a tape: its start is a date, and no event is before the one ahead.
///
/// Only `verify` does so. A server takes such a tape, for a wrong clock must not lose the events of an app.
package struct TapeTimes {
    /// What is wrong with the header; nil if nothing is.
    package let headerProblem: String?
    private var last: JSON.Number?

    package init(_ header: Header) {
        headerProblem =
            Self.isDate(header.started)
            ? nil
            : "line 1: member “started” of the header must be a date in ISO 8601, such as 2026-11-20T10:00:00.123Z, but is "
                + "“\(header.started.prefix(100))”"
    }

    /// Checks the next event.
    ///
    /// - Returns: A message if it goes back in time.
    package mutating func take(_ line: EventLine) -> String? {
        defer { last = line.at }
        guard let last, line.at.double < last.double else { return nil }
        return "event \(line.seq): member “at” goes back from \(last.text) to \(line.at.text) ms"
    }

    /// Whether a text is a date in ISO 8601 that exists, with or without its time: `2026-11-20T10:00:00.123+01:00`.
    static func isDate(_ text: String) -> Bool {
        let pattern =
            /([+-]\d\d)?(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?:Z|[+-](\d\d):?(\d\d))?)?/
            .asciiOnlyDigits()
        guard let match = text.wholeMatch(of: pattern) else { return false }
        func number(_ part: Substring?) -> Int { part.flatMap { Int($0) } ?? 0 }
        let year = number(match.2) + 10_000 * number(match.1)
        let (month, day) = (number(match.3), number(match.4))
        return 1...12 ~= month && 1...days(in: month, of: year) ~= day
            && number(match.5) < 24 && number(match.6) < 60 && number(match.7) < 60
            && number(match.8) < 24 && number(match.9) < 60
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}
