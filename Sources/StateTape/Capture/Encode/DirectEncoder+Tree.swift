import TapeFormat

extension DirectEncoder {
    /// An action as a JSON tree.
    ///
    /// - Throws: What the value's `encode(to:)` throws.
    func tree(of value: some Encodable) throws -> JSON {
        let buffer = ByteBuffer()
        try encode(value, slice: Slice(only: [], except: [], place: redactor.root), to: buffer)
        return try JSON(parsing: buffer.array(from: 0))
    }
}
