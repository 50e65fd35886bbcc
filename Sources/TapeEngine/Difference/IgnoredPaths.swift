import TapeFormat

/// The values that a comparison leaves out.
struct IgnoredPaths: Sendable {
    private let patterns: [PathPattern]

    var isEmpty: Bool { patterns.isEmpty }

    init(_ patterns: [PathPattern]) {
        self.patterns = patterns
    }

    /// A state without the ignored members and elements; null if it is ignored as a whole.
    func stripped(state: JSON) -> JSON {
        Self.stripped(state, patterns.map(\.walk)) ?? .null
    }

    /// An action without the ignored parts of its payload. Its type is always compared.
    func stripped(action: JSON) -> JSON {
        guard case .object(var members) = action, let payload = members["payload"] else { return action }
        members["payload"] = Self.stripped(payload, patterns.map { $0.walk.step("payload") })
        return .object(members)
    }

    /// Nil if the value is ignored.
    private static func stripped(_ value: JSON, _ walks: [PathPattern.Walk]) -> JSON? {
        if walks.contains(where: \.isMatch) { return nil }
        let walks = walks.filter { !$0.isOver }
        if walks.isEmpty { return value }
        switch value {
        case .object(let members):
            return .object(
                JSON.Object(
                    members.lazy.compactMap { member in
                        stripped(member.value, walks.map { $0.step(member.key) }).map { (member.key, $0) }
                    }))
        case .array(let elements):
            return .array(
                elements.enumerated().compactMap { index, element in
                    stripped(element, walks.map { $0.step(String(index)) })
                })
        default: return value
        }
    }
}
