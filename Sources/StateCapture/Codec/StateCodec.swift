package import TapeFormat

/// Writes and reads states of one type.
///
/// It is made where the type's conformances are known, which binds them there. A runtime lookup on another thread
/// doesn't find a conformance that is isolated to the main actor.
package struct StateCodec<State> {
    /// Why a state is encoded on the dispatching thread; nil if encoding can wait.
    package let atOnce: (Layouts) -> AtOnce?
    /// Appends a state's JSON text.
    let write: (State, Slice?, DirectEncoder, ByteBuffer) throws -> Void
    /// Appends the patch from one state to the next.
    let compare: (_ old: State, _ new: State, Differ, ByteBuffer) throws -> Void
    /// Reads a state from the tape; the app's own initial state provides the members that it lacks. Unless it must be
    /// exact, parts that do not fit the type are replaced.
    package let read: (_ tape: JSON, _ initial: JSON?, _ isExact: Bool) throws(Pushed.Failure) -> Overlay.Outcome<State>

    /// - Parameter slice: The places to write; nil for all.
    package func text(of state: State, _ slice: Slice?, _ encoder: DirectEncoder) throws -> [UInt8] {
        let buffer = ByteBuffer()
        try write(state, slice, encoder, buffer)
        return buffer.array(from: 0)
    }

    /// The state with its secrets: never for the tape.
    package func tree(of state: State) throws -> JSON { try JSON(parsing: text(of: state, nil, DirectEncoder(.none))) }
}

extension StateCodec where State: Codable {
    package init() {
        atOnce = { AtOnce(State.self, $0) }
        write = { try $2.encode($0, slice: $1, to: $3) }
        compare = { try $2.difference(from: $0, to: $1, to: $3) }
        read = { (tape, initial, isExact) throws(Pushed.Failure) in
            let outcome =
                isExact
                ? try Overlay.decode(State.self, from: tape, over: initial)
                : try Overlay.restore(State.self, from: tape, over: initial)
            // Otherwise another file's JSON would be the initial state.
            guard !outcome.isForeign else {
                throw Pushed.Failure(
                    code: .decode,
                    message: "no member of it is a member of the app's state (\(State.self)): is it the right file?")
            }
            return outcome
        }
    }
}

extension StateCodec {
    /// For states without Codable: they are written by reflection and can't be read back.
    package static var reflecting: StateCodec {
        StateCodec(
            atOnce: { AtOnce(reflecting: State.self, $0) },
            write: { try $2.encode(Reflected($0, $2.redactor), slice: $1, to: $3) },
            compare: { old, new, differ, buffer in
                let redactor = differ.encoder.redactor
                try differ.difference(from: Reflected(old, redactor), to: Reflected(new, redactor), to: buffer)
            },
            read: { (_, _, _) throws(Pushed.Failure) in
                throw Pushed.Failure(
                    code: .unsupported,
                    message: "the state is not Codable: it is recorded by reflection and can't be applied")
            })
    }
}
