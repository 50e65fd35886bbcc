import StateTape
import TapeFormat

/// A state that is applied to an app, whose type leaves some stored members out of its coding.
package struct UncodedShape: Sendable {
    package let name: String
    private let run: @Sendable () throws -> Result
    private let expected: Result

    private struct Result: Equatable {
        var state: String
        var kept: [String] = []
        var lost: [String] = []
    }

    /// - Parameters:
    ///   - recorded: The state on the tape, before it is encoded.
    ///   - app: The app's state.
    ///   - look: Describes the members of interest.
    ///   - state: What `look` says of the state that is applied.
    init<State: Codable & SendableMetatype>(
        _ name: String, recorded: @autoclosure @escaping @Sendable () -> State,
        app: @autoclosure @escaping @Sendable () -> State, _ look: @escaping @Sendable (State) -> String,
        gives state: String, kept: [String] = [], lost: [String] = []
    ) {
        self.name = name
        expected = Result(state: state, kept: kept, lost: lost)
        run = {
            // Kept alive: a state may refer to something without owning it.
            let (tape, own) = (recorded(), app())
            return try withExtendedLifetime((tape, own)) {
                let read = try ReplayCodec<State, Int>().state(JSON(plain: tape), initial: nil, current: own)
                return Result(state: look(read.value), kept: read.kept, lost: read.lost)
            }
        }
    }

    /// - Returns: The failures, one line each.
    package func failures() throws -> [String] {
        let result = try run()
        return result == expected ? [] : ["\(name): \(result) is not \(expected)"]
    }
}
