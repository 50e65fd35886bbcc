package import TapeFormat

/// Parsed lines that were just committed or read, within limits of memory.
package struct RecentLines {
    /// Neighbouring lines of one session.
    package struct Parsed {
        package let session: Int64
        package private(set) var covers: Range<Int>
        package private(set) var lines: [EventLine]
        /// The approximate memory of the lines, in bytes.
        package private(set) var cost: Int
        /// The damage, if `lines` is a gap in place of damaged lines.
        package let damage: Damage?
        /// The number of the last use.
        fileprivate var used = 0

        package init(session: Int64, covers: Range<Int>, lines: [EventLine], damage: Damage? = nil) {
            self.session = session
            self.covers = covers
            self.lines = lines
            self.damage = damage
            cost = lines.reduce(0) { $0 + $1.memory }
        }

        /// - Returns: False if the other lines don't follow these, or are too many.
        fileprivate mutating func append(_ next: Parsed) -> Bool {
            guard covers.upperBound == next.covers.lowerBound, cost + next.cost <= RecentLines.maxJoined else {
                return false
            }
            covers = covers.lowerBound..<next.covers.upperBound
            lines += next.lines
            cost += next.cost
            used = next.used
            return true
        }
    }

    /// Bytes in memory, of all lines.
    private static let maxCost = 32 << 20
    private static let maxCount = 4_096
    /// Bytes in memory of lines that are joined: with many apps, a commit brings one or two lines of each.
    private static let maxJoined = 256 << 10
    /// Larger batches aren't kept. They are single lines, which have no neighbours.
    private static let maxBatch = 4 << 20

    private var sessions: [Int64: [Parsed]] = [:]
    private var cost = 0
    private var count = 0
    private var uses = 0

    package init() {}

    /// The lines around `seq`; nil if they aren't kept.
    package mutating func lines(of session: Int64, at seq: Int) -> Parsed? {
        guard let place = sessions[session]?.lastIndex(where: { $0.covers ~= seq }) else { return nil }
        uses += 1
        sessions[session]?[place].used = uses
        return sessions[session]?[place]
    }

    /// Keeps lines.
    ///
    /// - Returns: Lines that are no longer kept.
    package mutating func keep(_ parsed: Parsed) -> [Parsed] {
        // Damaged lines aren't kept: a person may repair them.
        guard parsed.cost <= Self.maxBatch, parsed.damage == nil else { return [] }
        uses += 1
        var parsed = parsed
        parsed.used = uses
        cost += parsed.cost
        var kept = sessions.removeValue(forKey: parsed.session) ?? []
        if kept.isEmpty || !kept[kept.count - 1].append(parsed) {
            kept.append(parsed)
            count += 1
        }
        sessions[parsed.session] = kept
        return cost > Self.maxCost || count > Self.maxCount ? evict() : []
    }

    /// Drops the lines whose last use is longest ago. Several at once, since it looks at all.
    private mutating func evict() -> [Parsed] {
        var evicted: [Parsed] = []
        for parsed in sessions.values.joined().sorted(by: { $0.used < $1.used }) {
            guard cost > Self.maxCost * 3 / 4 || count > Self.maxCount * 3 / 4 else { break }
            evicted.append(parsed)
            cost -= parsed.cost
            count -= 1
        }
        let last = evicted.last?.used ?? 0
        for session in Set(evicted.map(\.session)) {
            let kept = sessions[session]?.filter { $0.used > last } ?? []
            sessions[session] = kept.isEmpty ? nil : kept
        }
        return evicted
    }
}
