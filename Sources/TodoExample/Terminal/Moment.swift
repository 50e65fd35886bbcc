import Foundation

/// The clock on the wall and the calendar beside it.
struct Moment: Sendable {
    var now: @Sendable () -> Date
    var calendar: Calendar

    var today: Day { Day(now(), in: calendar) }

    /// The present, in whole seconds, which read better on a tape.
    static let present = Moment(
        now: { Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down)) },
        calendar: Calendar(identifier: .gregorian))

    /// Noon of a day, for ever.
    static func noon(of day: Day) -> Moment {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let noon = Date(timeIntervalSince1970: (Double(day.number) + 0.5) * 86_400)
        return Moment(now: { noon }, calendar: calendar)
    }
}
