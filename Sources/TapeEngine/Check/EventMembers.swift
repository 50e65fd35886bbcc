package import TapeFormat

/// Checks the members of an event that readers show: each has the kind of value that the format gives it.
///
/// Only `verify` does so, as with ``TapeTimes``: where a member is not such a value, a server and the page leave it out.
package enum EventMembers {
    private enum Kind: String {
        case text = "a text"
        case time = "a number of ms, 0 or more"
        case count = "a whole number, 0 or more"
        case object = "an object"
        case yes = "true"
        case level = "info, warning or error"
        case callStack = "up to 32 texts of at most 1024 bytes, or the seq of an earlier event"

        func takes(_ value: JSON) -> Bool {
            switch self {
            case .text: value.string != nil
            case .yes: value == true
            case .level: ["info", "warning", "error"].contains(value.string)
            case .time: value.double.map { $0 >= 0 } ?? false
            case .count: value.int.map { $0 >= 0 } ?? false
            case .object: value.object != nil
            case .callStack: Self.isCallStack(value)
            }
        }

        private static func isCallStack(_ value: JSON) -> Bool {
            guard let functions = value.array else { return value["seq"] != nil }
            return 1...Limits.stackFrames ~= functions.count
                && functions.allSatisfy { $0.string.map { $0.utf8.count <= Limits.stackFunction } ?? false }
        }
    }

    private static let kinds: [(name: String, kind: Kind)] = [
        ("took", .time), ("error", .text), ("caller", .text), ("dispatch", .count), ("cause", .object),
        ("stack", .callStack), ("reason", .text), ("text", .text), ("level", .level), ("unfinished", .yes),
        ("skipped", .yes),
    ]

    /// A message for each member that is something else.
    package static func problems(of line: EventLine) -> [String] {
        var problems = kinds.compactMap { name, kind -> String? in
            guard let value = line[name], !kind.takes(value) else { return nil }
            return "event \(line.seq): member “\(name)” must be \(kind.rawValue), but is \(value.text.prefix(100))"
        }
        for member in ["cause", "stack"] {
            guard let seq = line[member]?["seq"], seq.int.map({ !(0..<line.first ~= $0) }) ?? true else { continue }
            problems.append(
                "event \(line.seq): member “\(member)” must name an earlier event, but names \(seq.text.prefix(100))")
        }
        return problems
    }
}
