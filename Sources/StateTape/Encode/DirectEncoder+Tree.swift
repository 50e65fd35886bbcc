import TapeFormat

extension DirectEncoder {
    /// An action as a JSON tree.
    ///
    /// - Throws: Errors from the value's `encode(to:)`.
    func tree(of value: some Encodable) throws -> JSON {
        let buffer = ByteBuffer()
        try encode(action: value, to: buffer)
        return try JSON(parsing: buffer.array(from: 0))
    }

    /// Encodes no more than about this many bytes.
    ///
    /// - Throws: Errors from `body`, and an `EncodingError` if a value exceeds the limit, even if the value ignores that.
    func encoding(atMost limit: Int, _ body: () throws -> Void) throws {
        state.pointee.limit = limit
        state.pointee.pieces = 0
        defer { state.pointee.limit = .max }
        try body()
    }

    /// Appends an action's JSON text.
    ///
    /// - Throws: Errors from the value's `encode(to:)`.
    func encode(action value: some Encodable, to buffer: ByteBuffer) throws {
        try encode(value, slice: Slice(only: [], except: [], place: redactor.root), to: buffer)
    }
}
