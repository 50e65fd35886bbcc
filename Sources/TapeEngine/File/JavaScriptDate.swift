/// Times of JavaScript's `Date`, as `toISOString` writes them.
enum JavaScriptDate {
    /// The range of `Date`, in ms since 1970.
    static let range = -8_640_000_000_000_000...8_640_000_000_000_000

    /// The time in ISO 8601, with milliseconds; nil if it is outside of the range.
    ///
    /// - Parameter milliseconds: Since 1970.
    static func text(_ milliseconds: Int) -> String? {
        guard range ~= milliseconds else { return nil }
        let (day, time) = floored(milliseconds, by: 86_400_000)
        let (year, month, dayOfMonth) = date(day)
        let (seconds, thousandths) = time.quotientAndRemainder(dividingBy: 1_000)
        let clock = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }.joined(separator: ":")
        let sign = year < 0 ? "-" : "+"
        let years = 0...9_999 ~= year ? padded(year, 4) : sign + padded(abs(year), 6)
        return "\(years)-\(padded(month, 2))-\(padded(dayOfMonth, 2))T\(clock).\(padded(thousandths, 3))Z"
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    private static func floored(_ number: Int, by divisor: Int) -> (quotient: Int, rest: Int) {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }

    /// The Gregorian date of a day since 1970. A year begins in March here, so that the day of a leap year is its last.
    private static func date(_ day: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = floored(day + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let isNextYear = month >= 10
        return (
            era * 400 + yearOfEra + (isNextYear ? 1 : 0), isNextYear ? month - 9 : month + 3,
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }
}
