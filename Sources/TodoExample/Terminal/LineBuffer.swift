/// Cuts what comes in pieces into lines.
struct LineBuffer: Equatable, Sendable {
    private var pending: [UInt8] = []

    /// The lines that the bytes complete.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [String] {
        pending += bytes
        var lines: [String] = []
        while let end = pending.firstIndex(of: 0x0a) {
            lines.append(String(decoding: pending[..<end], as: UTF8.self))
            pending.removeSubrange(...end)
        }
        return lines
    }

    /// What stands after the last newline, if anything: no line or one.
    var rest: [String] {
        pending.isEmpty ? [] : [String(decoding: pending, as: UTF8.self)]
    }
}
