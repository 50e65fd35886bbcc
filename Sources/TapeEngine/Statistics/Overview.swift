package import TapeFormat

/// The statistics of a session, from the heads of its events. Its memory is bounded for sessions of any length.
package struct Overview: Sendable {
    /// The number of events of a kind, and the first of them.
    private struct Marks {
        private static let maxKept = 100
        var count = 0
        private(set) var events: [JSON] = []

        mutating func add(_ head: EventHead, _ members: (String, JSON?)...) {
            count += 1
            if events.count < Self.maxKept { events.append(Overview.event(head, members)) }
        }

        var json: JSON { ["count": .number(.init(count)), "events": .array(events)] }
    }

    private static let maxTypes = 4_096
    private static let maxShownTypes = 100
    private static let maxMoments = 10

    /// The seq after the last counted event.
    package private(set) var next = 0
    private var types: [UTF8Text: TypeStatistics] = [:]
    private var otherTypes = TypeStatistics(type: "")
    private var sizes: [UTF8Text: StateSizes] = [:]
    private var second = (number: -1, seq: 0, count: 0)
    private var busiest: [(number: Int, seq: Int, count: Int)] = []
    private var slowest: [EventHead] = []
    private var pushes = Marks()
    private var errors = Marks()
    private var warnings = Marks()
    private var gaps = Marks()
    private var lost = 0

    package init() {}

    package mutating func take(_ head: EventHead) {
        next = head.seq + 1
        switch head.kind {
        case .gap:
            lost += head.count
            gaps.add(head, ("count", .number(.init(head.count))), ("reason", head["reason"]))
            return
        case .action:
            take(action: head)
        case .note:
            switch head["level"]?.string {
            case "error"?: errors.add(head, ("text", head["text"]))
            case "warning"?: warnings.add(head, ("text", head["text"]))
            default: break
            }
        default: break
        }
        if let error = head.error {
            errors.add(head, ("type", head.type.map(JSON.string)), ("text", .string(error)))
        }
        if head.isPush { pushes.add(head, ("type", head.type.map(JSON.string))) }
        if head.state != nil {
            sizes[UTF8Text(head.store), default: StateSizes(store: head.store)].take(head)
        }
        takeTime(head)
    }

    private mutating func take(action head: EventHead) {
        let type = head.type ?? ""
        if types[UTF8Text(type)] != nil || types.count < Self.maxTypes {
            types[UTF8Text(type), default: TypeStatistics(type: type)].add(head)
        } else {
            otherTypes.add(head)
        }
        guard let took = head.took, slowest.count < Self.maxMoments || took > slowest.last?.took ?? 0 else {
            return
        }
        slowest.insert(head, at: slowest.firstIndex { $0.took ?? 0 < took } ?? slowest.endIndex)
        if slowest.count > Self.maxMoments { slowest.removeLast() }
    }

    private mutating func takeTime(_ head: EventHead) {
        let number = head.at / 1_000_000
        if number != second.number {
            busiest = Self.busiest(busiest, second)
            second = (number, head.seq, 0)
        }
        second.count += 1
    }

    private static func busiest(
        _ seconds: [(number: Int, seq: Int, count: Int)], _ new: (number: Int, seq: Int, count: Int)
    ) -> [(number: Int, seq: Int, count: Int)] {
        guard new.count > 0 else { return seconds }
        // Stable: equal elements keep their order.
        return Array((seconds + [new]).sorted { $0.count > $1.count }.prefix(maxMoments))
    }

    /// - Parameters:
    ///   - duration: The duration of the tape in ms.
    ///   - states: The last state of each store.
    ///   - keyframes: Known sizes of further states, by store.
    package func json(duration: Double, states: [String: JSON], keyframes: [String: [StateSizes.Point]] = [:]) -> JSON {
        [
            "committed": .number(.init(next)), "duration": JSON.Number(duration).map(JSON.number) ?? .null,
            "actions": actions, "stores": stores(states, keyframes),
            "busiest": .array(
                Self.busiest(busiest, second).map {
                    [
                        "seq": .number(.init($0.seq)), "at": .number(.init($0.number * 1_000)),
                        "count": .number(.init($0.count)),
                    ]
                }),
            "slowest": .array(
                slowest.map {
                    Self.event($0, [("took", $0.took.map(JSON.milliseconds)), ("type", $0.type.map(JSON.string))])
                }),
            "pushes": pushes.json, "errors": errors.json, "warnings": warnings.json,
            "gaps": [
                "count": .number(.init(gaps.count)), "lost": .number(.init(lost)), "events": .array(gaps.events),
            ],
        ]
    }

    /// The statistics by action type, the most frequent first; the last entry sums up the remaining types.
    private var actions: JSON {
        let all = types.values.sorted { ($1.count, $0.type) < ($0.count, $1.type) }
        let count = all.reduce(otherTypes.count) { $0 + $1.count }
        var others = otherTypes
        for actions in all.dropFirst(Self.maxShownTypes) { others.add(actions) }
        var json = JSON.Object([
            ("count", .number(.init(count))),
            ("types", .array(all.prefix(Self.maxShownTypes).map { $0.json(of: count) })),
        ])
        if others.count > 0 { json["others"] = others.json(of: count) }
        return .object(json)
    }

    private func stores(_ states: [String: JSON], _ keyframes: [String: [StateSizes.Point]]) -> JSON {
        let stores = Set(sizes.values.map(\.store)).union(states.keys).union(keyframes.keys).sorted()
        return .object(
            JSON.Object(
                stores.map { store in
                    let sizes = sizes[UTF8Text(store)] ?? StateSizes(store: store)
                    return (
                        store, sizes.json(last: states[store], at: next - 1, keyframes: keyframes[store] ?? [])
                    )
                }))
    }

    /// An event as JSON, with further members; nil values are left out.
    fileprivate static func event(_ head: EventHead, _ members: [(String, JSON?)]) -> JSON {
        .object(
            JSON.Object(
                [("seq", .number(.init(head.seq))), ("at", .milliseconds(head.at))]
                    + members.compactMap { name, value in value.map { (name, $0) } }))
    }
}
