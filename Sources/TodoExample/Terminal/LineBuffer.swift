/// Splits chunks of bytes into lines.
struct LineBuffer: Equatable, Sendable {
    private var pending: [UInt8] = []

    /// Adds bytes, and returns the completed lines.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [String] {
        pending += bytes
        var lines: [String] = []
        while let end = pending.firstIndex(of: 0x0a) {
            lines.append(String(decoding: pending[..<end], as: UTF8.self))
            pending.removeSubrange(...end)
        }
        return lines
    }

    /// The incomplete last line, if any.
    var rest: [String] {
        pending.isEmpty ? [] : [String(decoding: pending, as: UTF8.self)]
    }
}
