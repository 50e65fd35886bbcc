import TapeFormat

/// Decodes what is on the tape over the app's own initial state.
///
/// - A member that `decode(forKey:)` requires and that the tape lacks is taken from the initial state at that place.
/// - One asked for by `decodeIfPresent` is nil where the tape lacks it: Codable leaves nil out.
/// - Dictionaries and the elements of arrays are the tape's alone.
///
/// So a state that was recorded before a member was added can be played into the app that has it.
enum Overlay {
    struct Outcome<Value> {
        var value: Value
        /// Places, as pointers, that the tape lacked.
        var filled: [String]
        /// Places that nothing asked for.
        var ignored: [String]
    }

    /// - Parameter initial: The app's initial state as JSON; nil has nothing to fill in from.
    /// - Throws: `Pushed.Failure` with code `decode` and the pointer of the place.
    static func decode<Value: Decodable>(
        _ type: Value.Type, from tape: JSON, over initial: JSON?
    ) throws(Pushed.Failure) -> Outcome<Value> {
        let trace = OverlayTrace()
        do {
            let value = try OverlayDecoder(tape, over: initial, at: [], trace).value(type)
            return Outcome(value: value, filled: trace.filled, ignored: trace.ignored)
        } catch let error as DecodingError {
            throw failure(error)
        } catch {
            throw Pushed.Failure(code: "decode", message: String(describing: error))
        }
    }

    private static func failure(_ error: DecodingError) -> Pushed.Failure {
        let (message, path): (String, [any CodingKey]) =
            switch error {
            case .keyNotFound(let key, let context):
                ("the required member “\(key.stringValue)” is missing", context.codingPath + [key])
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                (context.debugDescription, context.codingPath)
            @unknown default: (String(describing: error), [])
            }
        return Pushed.Failure(code: "decode", message: message, path: path.pointer)
    }
}

extension [any CodingKey] {
    /// RFC 6901, of the place on the tape.
    var pointer: String {
        Pointer(map { $0.intValue.map(String.init) ?? Redacted.escaped($0.stringValue) }).description
    }
}
