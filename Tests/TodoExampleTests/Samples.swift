import Foundation
import Testing

@testable import TodoExample

/// A Saturday at noon.
let saturday = Day(number: 20_778)
let noon = Moment.noon(of: saturday).now()

/// The state after some commands.
func result(of lines: String..., from start: AppState = AppState()) throws -> AppState {
    var state = start
    for line in lines {
        let command = try #require(try Command(parsing: line, today: saturday))
        for action in try command.actions(in: state, at: noon, today: saturday) { reduce(&state, action) }
    }
    return state
}

/// The lines of a state's frame.
func drawn(_ state: AppState, columns: Int = 80, rows: Int? = nil) -> [String] {
    let moment = Moment.noon(of: saturday)
    return Frame(state, now: moment.now(), calendar: moment.calendar, columns: columns, rows: rows).lines.map(\.plain)
}
