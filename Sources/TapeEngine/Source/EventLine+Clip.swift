package import TapeFormat

extension EventLine {
    /// Clips a gap to `range`; returns any other line unchanged.
    package func clipped(to range: Range<Int>) -> EventLine {
        let first = max(first, range.lowerBound)
        let last = min(seq, range.upperBound - 1)
        guard kind == .gap, first <= last, first != self.first || last != seq,
            var object = try? JSON(parsing: bytes).object
        else { return self }
        object["seq"] = .number(.init(last))
        object["count"] = .number(.init(last - first + 1))
        return (try? EventLine(parsing: JSON.object(object).bytes)) ?? self
    }
}
