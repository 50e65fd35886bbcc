/// SQLite's numbers of one to nine bytes.
enum VariableNumber {
    /// - Parameter place: Where it begins; then the place after it.
    /// - Returns: Nil if the bytes end before.
    static func read(_ bytes: ArraySlice<UInt8>, _ place: inout Int) -> Int64? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard bytes.indices.contains(place) else { return nil }
            let byte = bytes[place]
            place += 1
            if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 127)
            if byte < 128 { break }
        }
        return Int64(bitPattern: value)
    }
}
