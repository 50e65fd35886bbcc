import TapeFormat

/// Decodes a state from the tape over the app's own initial state.
///
/// - If the tape lacks a member that `decode(forKey:)` requires, its value is taken from the initial state.
/// - If the tape lacks a member that `decodeIfPresent` reads, it is nil: Codable leaves nil out.
/// - Dictionaries and the elements of arrays come from the tape alone.
///
/// So the server can apply a state that was recorded before the app had a new member.
enum Overlay {
    struct Outcome<Value> {
        var value: Value
        /// Pointers of places that the tape lacked.
        var filled: [String]
        /// Pointers of places that the decoding did not read.
        var ignored: [String]
    }

    /// - Parameter initial: The app's initial state as JSON; nil fills nothing in.
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
    /// The place on the tape, as an RFC 6901 pointer.
    var pointer: String {
        Pointer(map { $0.intValue.map(String.init) ?? Redacted.escaped($0.stringValue) }).description
    }
}
