package import TapeFormat

/// Finds the largest parts of a state.
package enum Subtrees {
    package struct Part: Sendable, Equatable {
        package let path: Pointer
        package let bytes: Int
    }

    private static let maxOpened = 256
    /// The opened values may have this many times the state's size in total: in a chain of nested values each level
    /// measures all deeper ones again.
    private static let maxMeasured = 16

    /// The largest parts; no part contains another. A value is divided while one of its children has at least a tenth of
    /// its size. A value with only smaller children stays whole.
    package static func largest(_ count: Int, of state: JSON) -> [Part] {
        var parts = [(path: Pointer(), value: state, bytes: state.bytes.count, isWhole: false)]
        var opened = 0
        var measured = 0
        let whole = parts[0].bytes
        while opened < maxOpened, measured < maxMeasured * whole,
            let index = parts.firstIndex(where: { !$0.isWhole })
        {
            let part = parts[index]
            let children = children(part.value).map { token, value in
                (path: part.path.appending(token), value: value, bytes: value.bytes.count, isWhole: false)
            }
            opened += 1
            measured += part.bytes
            if children.contains(where: { $0.bytes * 10 >= part.bytes }) {
                parts.remove(at: index)
                parts += children
                // Stable: equal elements keep their order.
                parts.sort { $0.bytes > $1.bytes }
                parts = Array(parts.prefix(count))
            } else {
                parts[index].isWhole = true
            }
        }
        return parts.map { Part(path: $0.path, bytes: $0.bytes) }
    }

    private static func children(_ value: JSON) -> [(String, JSON)] {
        switch value {
        case .object(let object): object.map { ($0.key, $0.value) }
        case .array(let elements): elements.enumerated().map { (String($0), $1) }
        default: []
        }
    }
}
