/// The steps that turn one array's elements into another's; a small change needs few steps.
///
/// The steps apply in this order: removals, moves, additions. The longest increasing subsequence of elements stays in
/// place (Fredman 1975); each other kept element is moved once.
package struct Reordering: Equatable {
    /// Indices in the old array, in descending order.
    package private(set) var removals: [Int] = []
    /// Moves in the array that results from the steps before.
    package private(set) var moves: [Move] = []
    /// Indices in the new array, in ascending order.
    package private(set) var additions: [Int] = []

    package struct Move: Equatable {
        package let from: Int
        package let to: Int
    }

    /// - Parameters:
    ///   - origins: For each new element the distinct index of its old element; nil for an added element.
    ///   - oldCount: The number of old elements.
    ///   - maxMoves: The maximum number of moves.
    /// - Returns: Nil if more moves are needed.
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

    /// The work of the steps in the old array, as `Patch.maxWork` limits it.
    ///
    /// - Parameters:
    ///   - first: The index of the first element that the steps count from.
    ///   - count: The number of all elements.
    package func work(at first: Int, in count: Int) -> Int {
        var (moved, left) = (0, count - first)
        for index in removals {
            left -= 1
            moved += left - index
        }
        for move in moves { moved += 2 * (left - 1) - move.from - move.to }
        for index in additions {
            moved += left - index
            left += 1
        }
        return 2 * moved
    }

    /// The longest increasing subsequence.
    private static func longestRun(_ values: [Int]) -> Set<Int> {
        if zip(values, values.dropFirst()).allSatisfy({ $0 < $1 }) { return Set(values) }
        // For each length, the position of the smallest last value; for each value, its predecessor.
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
