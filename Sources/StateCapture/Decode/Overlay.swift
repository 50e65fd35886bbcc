package import TapeFormat

/// Decodes a state from the tape over the app's own initial state.
///
/// - If the tape lacks a member that `decode(forKey:)` requires, its value is taken from the initial state.
/// - If the tape lacks a member that `decodeIfPresent` reads, it is nil: Codable leaves nil out.
/// - Dictionaries and the elements of arrays come from the tape alone.
///
/// So the server can apply a state that was recorded before the app had a new member. ``restore(_:from:over:)`` reads
/// a state that fits less well part by part.
package enum Overlay {
    package struct Outcome<Value> {
        package var value: Value
        package var adjustments = Adjustments()
        /// The members that the value's types leave out of their coding; nil without any.
        package var uncoded: UncodedMembers?
        /// Whether the tape's value is an object, and the type reads none of its members.
        var isForeign = false
    }

    /// - Parameter initial: The app's initial state as JSON; nil fills nothing in.
    /// - Throws: `Pushed.Failure` with code `decode` and the pointer of the place.
    static func decode<Value: Decodable>(
        _ type: Value.Type, from tape: JSON, over initial: JSON?
    ) throws(Pushed.Failure) -> Outcome<Value> {
        let trace = OverlayTrace()
        var root = OverlayDecoder(tape, over: initial, at: [], trace)
        root.members = members()
        do {
            let value = try root.value(type)
            return Outcome(
                value: value, adjustments: Adjustments(filled: trace.filled, ignored: trace.ignored),
                uncoded: root.members?.inUse, isForeign: trace.isForeign)
        } catch {
            throw failure(error)
        }
    }

    /// Decodes a state. If it does not fit its type, keeps every part that does and replaces the others.
    ///
    /// - Throws: `Pushed.Failure` as ``decode(_:from:over:)`` does, if nothing of the state can be kept.
    static func restore<Value: Decodable>(
        _ type: Value.Type, from tape: JSON, over initial: JSON?
    ) throws(Pushed.Failure) -> Outcome<Value> {
        let failure: Pushed.Failure
        do throws(Pushed.Failure) {
            return try decode(type, from: tape, over: initial)
        } catch {
            failure = error
        }
        let (trace, repair) = (OverlayTrace(), OverlayRepair(values: tape.valueCount))
        var root = OverlayDecoder(tape, over: initial, at: [], trace, repair)
        root.members = members()
        guard let value = try? root.value(type) else { throw failure }
        let ignored = trace.ignored
        let unkept = repair.members.union(ignored)
        guard tape.members.contains(where: { !unkept.contains(Pointer([$0]).description) }) else { throw failure }
        // What is said of a lost place covers all below it.
        func isKept(_ path: String) -> Bool { !repair.lost.contains { path.hasPrefix($0.path + "/") } }
        let adjustments = Adjustments(
            filled: trace.filled.filter(isKept), ignored: ignored.filter(isKept), lost: repair.lost)
        return Outcome(value: value, adjustments: adjustments, uncoded: root.members?.inUse)
    }

    /// Nil where nothing is known of how values lie in memory.
    private static func members() -> UncodedMembers? { Metadata.isKnown ? UncodedMembers() : nil }

    /// The failure that an error from decoding stands for.
    static func failure(_ error: any Error) -> Pushed.Failure {
        guard let error = error as? DecodingError else {
            return Pushed.Failure(code: .decode, message: String(describing: error))
        }
        let (message, path): (String, [any CodingKey]) =
            switch error {
            case .keyNotFound(let key, let context):
                ("the required member “\(key.stringValue)” is missing", context.codingPath + [key])
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                (context.debugDescription, context.codingPath)
            @unknown default: (String(describing: error), [])
            }
        return Pushed.Failure(code: .decode, message: message, path: path.pointer)
    }
}

extension JSON {
    /// How many values this one has, with itself.
    fileprivate var valueCount: Int {
        switch self {
        case .object(let object): object.reduce(1) { $0 + $1.value.valueCount }
        case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
        default: 1
        }
    }

    /// The names of an object's members, or the indices of an array's elements.
    fileprivate var members: [String] { object?.map(\.key) ?? array?.indices.map(String.init) ?? [] }
}
