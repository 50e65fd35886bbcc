import TapeFormat

extension DirectEncoder {
    /// A value as a JSON tree.
    ///
    /// - Throws: What the value's `encode(to:)` throws.
    func tree(of value: some Encodable) throws -> JSON {
        let buffer = ByteBuffer()
        try encode(value, to: buffer)
        return try JSON(parsing: buffer.array(from: 0))
    }
}
