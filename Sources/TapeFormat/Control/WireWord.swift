/// A word of a fixed set in a message. A peer of a newer version may send another word, which is kept as it came.
public protocol WireWord: RawRepresentable<String>, Sendable, Hashable, CustomStringConvertible {
    init(rawValue: String)
}

extension WireWord {
    package init(_ rawValue: String) {
        self.init(rawValue: rawValue)
    }

    public var description: String { rawValue }
}
