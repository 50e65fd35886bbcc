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
        if first.kind == .action, let one = first.left?["action"], let other = first.right?["action"] {
            answer["payload"] = payload(one, other)
        }
        guard let one = first.left, let other = first.right, one.store.hasSameUTF8(as: other.store),
            let patch = try patch(from: one, to: other)?.json
        else { return .object(answer) }
        let bytes = patch.bytes.count
        if bytes <= Self.maxPatch { answer["patch"] = patch } else { answer["patchBytes"] = .number(.init(bytes)) }
        return .object(answer)
    }
}

extension TapeDifference {
    /// Values that together have more bytes are not in the answer.
    private static let maxValues = 1 << 16

    /// The first place at which the payloads of two actions of one type differ, and the values there.
    private func payload(_ one: JSON, _ other: JSON) -> JSON? {
        guard one["type"] == other["type"] else { return nil }
        let payloads = [one, other].map { ignored.stripped(action: $0)["payload"] }
        var (path, left, right) = (["payload"], payloads[0], payloads[1])
        guard left != right else { return nil }
        while let (key, one, other) = Self.firstMember(left, right) { (path, left, right) = (path + [key], one, other) }
        var place = JSON.Object([("path", .string(Pointer(path).description))])
        guard (left?.bytes.count ?? 0) + (right?.bytes.count ?? 0) <= Self.maxValues else { return .object(place) }
        place["a"] = left
        place["b"] = right
        return .object(place)
    }

    /// The first member or element that differs; nil if the values are not of one kind that has any.
    private static func firstMember(_ one: JSON?, _ other: JSON?) -> (key: String, one: JSON?, other: JSON?)? {
        switch (one, other) {
        case (.object(let one)?, .object(let other)?):
            let keys = one.map(\.key) + other.map(\.key)
            return keys.first { one[$0] != other[$0] }.map { ($0, one[$0], other[$0]) }
        case (.array(let one)?, .array(let other)?):
            return (0..<max(one.count, other.count)).lazy.map { index in
                (
                    String(index), index < one.count ? one[index] : nil as JSON?,
                    index < other.count ? other[index] : nil as JSON?
                )
            }.first { $0.1 != $0.2 }
        default: return nil
        }
    }
}

extension EventHead {
    package var json: JSON {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return (try? JSON(parsing: bytes)) ?? .null
    }
}
