extension DirectEncoder {
    func misuse(_ frame: Frame, _ what: String) -> EncodingError {
        .invalidValue((), .init(codingPath: DirectFrame.path(to: frame), debugDescription: what))
    }

    func tooDeep(_ value: Any, in frame: Frame) -> EncodingError {
        .invalidValue(
            value,
            .init(
                codingPath: DirectFrame.path(to: frame),
                debugDescription: "values are nested more than \(Self.depthLimit) deep"))
    }

    /// Keeps an error for the end of the value, and answers a node to which nothing can be written.
    func fail(_ error: EncodingError, _ frame: Frame) -> DirectNode {
        if state.pointee.failure == nil { state.pointee.failure = error }
        return DirectNode(encoder: self, frame: frame, serial: -1)
    }

    func throwFailure() throws {
        if let failure = state.pointee.failure { throw failure }
    }
}
