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
