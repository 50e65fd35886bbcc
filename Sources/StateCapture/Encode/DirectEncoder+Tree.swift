package import TapeFormat

extension DirectEncoder {
    /// An action as a JSON tree.
    ///
    /// - Throws: Errors from the value's `encode(to:)`.
    package func tree(of value: some Encodable) throws -> JSON {
        let buffer = ByteBuffer()
        try encode(action: value, to: buffer)
        return try JSON(parsing: buffer.array(from: 0))
    }

    /// Encodes no more than about this many bytes, and everything or nothing.
    ///
    /// - Throws: Errors from `body`, and an `EncodingError` if a value exceeds the limit or needs a larger stack, even if
    ///   the value ignores that.
    package func encoding(atMost limit: Int, _ body: () throws -> Void) throws {
        state.pointee.limit = limit
        state.pointee.pieces = 0
        (state.pointee.isOverLimit, state.pointee.isOutOfStack) = (false, false)
        defer { state.pointee.limit = .max }
        try body()
        guard state.pointee.isOverLimit || state.pointee.isOutOfStack else { return }
        let reason = state.pointee.isOverLimit ? "more than \(limit) bytes are encoded" : "the stack is too small"
        throw EncodingError.invalidValue((), .init(codingPath: [], debugDescription: reason))
    }

    /// Appends an action's JSON text.
    ///
    /// - Throws: Errors from the value's `encode(to:)`.
    func encode(action value: some Encodable, to buffer: ByteBuffer) throws {
        try encode(value, slice: Slice(only: [], except: [], place: redactor.root), to: buffer)
    }
}
