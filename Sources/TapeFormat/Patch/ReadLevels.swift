/// What was read of a large state's text, level by level.
final class ReadLevels {
    /// The memory that the levels take, in bytes, about.
    private(set) var memory = 0
    /// Arrays and objects with shorter texts are kept as values.
    private static let shortest = 1 << 10

    func count(_ positions: Int, isObject: Bool) {
        let position = isObject ? MemoryLayout<JSON.Object.Member>.stride : MemoryLayout<JSON>.stride
        memory += positions * (position + MemoryLayout<OpenChild?>.stride)
    }

    /// The text of an array or object that is long enough.
    func text(of value: JSON) -> UnreadText? {
        switch value {
        case .array, .object: JSON.Footprint.text(of: value) < Self.shortest ? nil : UnreadText(of: value)
        default: nil
        }
    }
}
