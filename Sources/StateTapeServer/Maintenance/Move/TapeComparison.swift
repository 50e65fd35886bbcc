import TapeArchive
import TapeEngine
import TapeFormat

/// Compares the lines of two tapes of one session.
enum TapeComparison {
    /// - Parameters:
    ///   - end: The seq after the last line to compare.
    ///   - advanced: Called with the number of events after each step.
    /// - Returns: The first seq with different lines; nil if there is none.
    static func firstDifference(
        _ left: ArchivedTape, _ right: ArchivedTape, upTo end: Int, _ advanced: (_ events: Int) throws -> Void
    ) throws -> Int? {
        var seq = left.seqs.lowerBound
        var (lefts, rights): (ArraySlice<EventLine>, ArraySlice<EventLine>) = ([], [])
        while seq < end {
            if lefts.isEmpty { lefts = try left.lines(from: seq) ?? [] }
            if rights.isEmpty { rights = try right.lines(from: seq) ?? [] }
            guard let first = lefts.popFirst(), let second = rights.popFirst(), areEqual(first, second) else {
                return seq
            }
            try advanced(first.count)
            seq = first.seq + 1
        }
        return nil
    }

    /// Whether two lines are the same event. Sealing may have replaced a whole state by a patch in one of them.
    private static func areEqual(_ left: EventLine, _ right: EventLine) -> Bool {
        if left.bytes == right.bytes { return true }
        guard left.seq == right.seq, (left.base == .state) != (right.base == .state) else { return false }
        return rest(left) == rest(right)
    }

    private static func rest(_ line: EventLine) -> [UInt8]? {
        guard var members = (try? JSON(parsing: line.bytes))?.object else { return nil }
        members["state"] = nil
        members["patch"] = nil
        return JSON.object(members).bytes
    }
}
