extension DirectEncoder {
    func misuse(_ frame: Frame, _ what: String) -> EncodingError {
        .invalidValue((), .init(codingPath: frame.path, debugDescription: what))
    }

    func tooDeep(in frame: Frame) -> EncodingError {
        misuse(
            frame,
            frame.pointee.depth < Self.depthLimit
                ? "values are nested too deep for the stack of their thread (\(frame.pointee.depth) deep)"
                : "values are nested more than \(Self.depthLimit) deep")
    }

    /// Keeps an error for the end of the value, and answers a node to which nothing can be written.
    func fail(_ error: EncodingError, _ frame: Frame) -> DirectNode {
        if !state.pointee.hasFailed { state.pointee.failure = error }
        state.pointee.hasFailed = true
        return DirectNode(encoder: self, frame: frame, serial: -1)
    }

    func forgetFailure() {
        guard state.pointee.hasFailed else { return }
        state.pointee.hasFailed = false
        state.pointee.failure = nil
    }
}
