// MARK: Errors of the app's types

extension DirectEncoder {
    func misuse(_ frame: Frame, _ what: String) -> EncodingError {
        state.pointee.hasThrown = true
        return .invalidValue((), .init(codingPath: frame.path, debugDescription: what))
    }

    func secondValue(_ frame: Frame) -> EncodingError {
        misuse(frame, "a second value is encoded in one place")
    }

    func tooDeep(in frame: Frame) -> EncodingError {
        misuse(
            frame,
            frame.pointee.depth < Self.depthLimit
                ? "values are nested too deep for the stack of their thread (\(frame.pointee.depth) deep)"
                : "values are nested more than \(Self.depthLimit) deep")
    }

    /// Ends a member or an element that isn't written.
    ///
    /// - Throws: An error if the text is over its limit, which ends a loop over elements at once.
    @inline(never)
    func leaveOut(in frame: Frame) throws {
        guard frame.bytes.isOverLimit else { return }
        throw tooLong(frame)
    }

    /// The rest of the text isn't written, even if a value ignores the error.
    func tooLong(_ frame: Frame) -> EncodingError {
        frame.bytes.exhaust()
        return misuse(frame, "more than \(state.pointee.limit) bytes are encoded")
    }

    /// For a node that outlived its value: another value may use the frame by now.
    func ended() -> EncodingError {
        state.pointee.failure
            ?? .invalidValue(
                (),
                .init(codingPath: [], debugDescription: "a container or an encoder is used after its value has ended"))
    }

    /// Keeps an error for the end of the value, and returns a node to which nothing can be written.
    func fail(_ error: EncodingError) -> DirectNode {
        if !state.pointee.hasFailed { state.pointee.failure = error }
        state.pointee.hasFailed = true
        return deadNode
    }

    /// A node to which nothing can be written.
    var deadNode: DirectNode { DirectNode(encoder: self, frame: frames, serial: -1) }

    func forgetFailure() {
        guard state.pointee.hasFailed else { return }
        state.pointee.hasFailed = false
        state.pointee.failure = nil
    }
}
