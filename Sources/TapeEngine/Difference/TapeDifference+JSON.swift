package import TapeFormat

extension TapeDifference {
    /// The answer has only the length of a longer patch, in bytes.
    private static let maxPatch = 1 << 20

    /// Compares the tapes.
    ///
    /// - Parameter check: Called regularly with the number of compared pairs; throws to cancel.
    /// - Returns: The answer of the HTTP API.
    package mutating func answer(_ check: (Int) throws -> Void = { _ in }) throws -> JSON {
        let first = try run(check)
        var answer = JSON.Object([
            ("same", .bool(first == nil)), ("compared", .number(.init(compared))), ("unknown", .number(.init(unknown))),
        ])
        guard let first else { return .object(answer) }
        answer["kind"] = .string(first.kind.rawValue)
        answer["store"] = (first.left ?? first.right).map { .string($0.store) }
        answer["a"] = first.left.map { EventHead($0).json } ?? .null
        answer["b"] = first.right.map { EventHead($0).json } ?? .null
        guard let one = first.left, let other = first.right, one.store.hasSameUTF8(as: other.store),
            let patch = try patch(from: one, to: other)?.json
        else { return .object(answer) }
        let bytes = patch.bytes.count
        if bytes <= Self.maxPatch { answer["patch"] = patch } else { answer["patchBytes"] = .number(.init(bytes)) }
        return .object(answer)
    }
}

extension EventHead {
    package var json: JSON {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return (try? JSON(parsing: bytes)) ?? .null
    }
}
