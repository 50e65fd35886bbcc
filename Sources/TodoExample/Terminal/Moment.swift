import Foundation

/// The clock and the calendar.
struct Moment: Sendable {
    var now: @Sendable () -> Date
    var calendar: Calendar

    var today: Day { Day(now(), in: calendar) }

    /// The system's clock, in whole seconds, so that the tape is easier to read.
    static let present = Moment(
        now: { Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down)) },
        calendar: Calendar(identifier: .gregorian))

    /// A clock that stands at noon of a day.
    static func noon(of day: Day) -> Moment {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let noon = Date(timeIntervalSince1970: (Double(day.number) + 0.5) * 86_400)
        return Moment(now: { noon }, calendar: calendar)
    }
}
