package import TapeFormat

/// The number of actions of a type, and their durations in the reducer.
package struct TypeStatistics: Sendable {
    /// Empty for the sum of several types.
    package let type: String
    package private(set) var count = 0
    private var took = Durations()

    package init(type: String) {
        self.type = type
    }

    package mutating func add(_ head: EventHead) {
        count += 1
        if let took = head.took { self.took.add(took) }
    }

    package mutating func add(_ others: TypeStatistics) {
        count += others.count
        took.add(others.took)
    }

    /// - Parameter all: The number of actions of all types.
    package func json(of all: Int) -> JSON {
        var json = JSON.Object([("type", .string(type)), ("count", .number(.init(count)))])
        if type.isEmpty { json["type"] = nil }
        // Rounded to four decimals.
        json["share"] = JSON.Number((Double(count) / Double(max(1, all)) * 10_000).rounded() / 10_000)
            .map(JSON.number)
        json["median"] = took.quantile(0.5).map(JSON.milliseconds)
        json["p95"] = took.quantile(0.95).map(JSON.milliseconds)
        return .object(json)
    }
}
