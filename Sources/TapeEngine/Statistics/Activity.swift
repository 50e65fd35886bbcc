package import TapeFormat

/// What happened in a range of events over time: counts by type, and what stands out.
package struct Activity: Sendable {
    /// The most types with counts of their own.
    private static let maxTypes = 5

    private enum Lane: Sendable {
        case none, error, warning, note
        case push
        case gap(Int)
        case action(Int)
    }

    private var times: [Int] = []
    private var seqs: [Int] = []
    private var lanes: [Lane] = []
    private var numbers: [String: Int] = [:]
    private var types: [(type: String, count: Int)] = []

    package init() {}

    package mutating func take(_ head: EventHead) {
        // A clock that went back would fold the axis.
        times.append(max(times.last ?? 0, head.at))
        seqs.append(head.seq)
        lanes.append(lane(of: head))
    }

    private mutating func lane(of head: EventHead) -> Lane {
        switch head.kind {
        case .gap: return .gap(head.count)
        case .note:
            let level = head["level"]?.string
            return level == "error" ? .error : level == "warning" ? .warning : .note
        case .action where head.error != nil, .replace where head.error != nil: return .error
        case .action where head.rest.isEmpty || !(head.isPush || head["unfinished"] != nil):
            let type = head.type ?? ""
            let number = numbers[type] ?? types.count
            if number == types.count {
                numbers[type] = number
                types.append((type, 0))
            }
            types[number].count += 1
            return .action(number)
        case .action: return head.isPush ? .push : .error
        default: return head.isPush ? .push : head.kind == .end && head["reason"] == "crashed" ? .error : .none
        }
    }

    /// - Parameter pause: A longer time without events is shortened (microseconds).
    package func members(buckets: Int, pause: Int) -> [(String, JSON)] {
        let axis = TimeAxis(times, pause: pause)
        let shown = types.indices.sorted { (types[$1].count, $0) < (types[$0].count, $1) }.prefix(Self.maxTypes)
        let places = Dictionary(uniqueKeysWithValues: shown.enumerated().map { ($1, $0) })
        var counts = Array(repeating: 0, count: buckets)
        var first = [Int?](repeating: nil, count: buckets)
        var (errors, warnings, notes, pushes, gaps) = (Marks(), Marks(), Marks(), Marks(), Marks())
        var byType = Array(repeating: Marks(), count: shown.count)
        var point = 0
        for (index, time) in times.enumerated() {
            // Every other point begins a pause, in which there are no events.
            while point + 2 < axis.points.count, axis.points[point + 2].time <= time { point += 2 }
            let position = axis.points[point].position + time - axis.points[point].time
            let bucket = min(buckets - 1, position * buckets / axis.length)
            first[bucket] = first[bucket] ?? seqs[index]
            if case .gap(let count) = lanes[index] {
                gaps[bucket, default: 0] += count
                continue
            }
            counts[bucket] += 1
            switch lanes[index] {
            case .error: errors[bucket, default: 0] += 1
            case .warning: warnings[bucket, default: 0] += 1
            case .note: notes[bucket, default: 0] += 1
            case .push: pushes[bucket, default: 0] += 1
            case .action(let type): if let place = places[type] { byType[place][bucket, default: 0] += 1 }
            case .none, .gap: break
            }
        }
        return [
            ("axis", .array(axis.points.map { [.milliseconds($0.position), .milliseconds($0.time)] })),
            ("counts", .array(counts.map { .number(.init($0)) })),
            ("seqs", .array(first.map { $0.map { .number(.init($0)) } ?? .null })),
            (
                "types",
                .array(
                    shown.enumerated().map { place, type in
                        [
                            "type": .string(types[type].type), "count": .number(.init(types[type].count)),
                            "counts": byType[place].pairs,
                        ]
                    })
            ),
            ("errors", errors.pairs), ("warnings", warnings.pairs), ("notes", notes.pairs), ("pushes", pushes.pairs),
            ("gaps", gaps.pairs),
        ]
    }
}

/// Counts by bucket.
private typealias Marks = [Int: Int]

extension Marks {
    fileprivate var pairs: JSON {
        .array(sorted { $0.key < $1.key }.map { [.number(.init($0.key)), .number(.init($0.value))] })
    }
}
