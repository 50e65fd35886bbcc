/// The steps that bring the elements of one array into the order of another, few where little changed.
///
/// Steps apply in order: removals, moves, then additions. What stays where it is is the longest run of elements that keep
/// their order (Fredman 1975); everything else that is kept is moved once.
package struct Reordering: Equatable {
    /// Indices in the old array, the last first.
    package private(set) var removals: [Int] = []
    /// From and to, each in the array that the steps before it left.
    package private(set) var moves: [Move] = []
    /// Indices in the new array, the first first.
    package private(set) var additions: [Int] = []

    package struct Move: Equatable {
        package let from: Int
        package let to: Int
    }

    /// - Parameters:
    ///   - origins: For each new element the index of the old one that it comes from, each used once; nil for an added one.
    ///   - oldCount: How many old elements there are.
    ///   - maxMoves: How many moves are worth while.
    /// - Returns: Nil if it takes more moves.
    package init?(origins: [Int?], oldCount: Int, maxMoves: Int = 64) {
        let kept = origins.compactMap(\.self)
        let staying = Self.longestRun(kept)
        guard kept.count - staying.count <= maxMoves else { return nil }
        var isKept = [Bool](repeating: false, count: oldCount)
        for old in kept { isKept[old] = true }
        removals = (0..<oldCount).reversed().filter { !isKept[$0] }
        additions = origins.indices.filter { origins[$0] == nil }
        guard staying.count < kept.count else { return }
        var order = (0..<oldCount).filter { isKept[$0] }
        var before: Int?
        for old in kept {
            defer { before = old }
            guard !staying.contains(old), let from = order.firstIndex(of: old) else { continue }
            order.remove(at: from)
            let to = before.flatMap(order.firstIndex(of:)).map { $0 + 1 } ?? 0
            order.insert(old, at: to)
            if from != to { moves.append(Move(from: from, to: to)) }
        }
    }

    /// The longest increasing subsequence.
    private static func longestRun(_ values: [Int]) -> Set<Int> {
        if zip(values, values.dropFirst()).allSatisfy({ $0 < $1 }) { return Set(values) }
        // For each length the position of the smallest last value, and for each value the one before it.
        var lasts: [Int] = []
        var before = [Int?](repeating: nil, count: values.count)
        for (position, value) in values.enumerated() {
            var (low, high) = (0, lasts.count)
            while low < high {
                let middle = (low + high) / 2
                if values[lasts[middle]] < value { low = middle + 1 } else { high = middle }
            }
            before[position] = low > 0 ? lasts[low - 1] : nil
            if low == lasts.count { lasts.append(position) } else { lasts[low] = position }
        }
        var run: Set<Int> = []
        var position = lasts.last
        while let current = position {
            run.insert(values[current])
            position = before[current]
        }
        return run
    }
}
