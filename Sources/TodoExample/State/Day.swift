import Foundation

/// A calendar day, encoded as `"2026-11-21"`.
struct Day: Hashable, Comparable, Sendable {
    /// Days since 1 January 1970.
    var number: Int

    init(number: Int) {
        self.number = number
    }

    /// The day of a date in a calendar.
    init(_ date: Date, in calendar: Calendar) {
        number = Self.number(of: calendar.dateComponents([.year, .month, .day], from: date))
    }

    /// Parses `2026-11-21`; nil if the day doesn't exist.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], parts.joined().allSatisfy(\.isNumber) else { return nil }
        self.init(
            number: Self.number(of: DateComponents(year: Int(parts[0]), month: Int(parts[1]), day: Int(parts[2]))))
        guard self.text == text else { return nil }
    }

    static func < (one: Day, other: Day) -> Bool { one.number < other.number }

    static func + (day: Day, days: Int) -> Day { Day(number: day.number + days) }

    /// The weekday; 0 is Monday.
    var weekday: Int { ((number + 3) % 7 + 7) % 7 }

    var text: String {
        let (year, month, day) = date
        return Self.digits(year, 4) + "-" + Self.digits(month, 2) + "-" + Self.digits(day, 2)
    }

    /// The day relative to today: `tomorrow`, `2 days late`, `Mon 30 Nov`.
    func said(on today: Day) -> String {
        switch number - today.number {
        case -1: "1 day late"
        case ..<0: "\(today.number - number) days late"
        case 0: "today"
        case 1: "tomorrow"
        case 2...6: "in \(number - today.number) days"
        default: short
        }
    }

    /// `Mon 30 Nov`.
    var short: String {
        "\(Self.weekdays[weekday]) \(date.day) \(Self.months[date.month - 1])"
    }

    static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

extension Day: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let day = Day(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is not a day")
        }
        self = day
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

// Proleptic Gregorian dates. Years start in March here, so that a leap day is the last day.
extension Day {
    private static func number(of parts: DateComponents) -> Int {
        let month = parts.month ?? 1
        let year = (parts.year ?? 1970) - (month <= 2 ? 1 : 0)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + (parts.day ?? 1) - 1
        return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }

    private var date: (year: Int, month: Int, day: Int) {
        let days = number + 719_468
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
