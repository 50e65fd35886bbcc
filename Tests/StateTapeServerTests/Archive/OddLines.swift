import SampleTapes
import TapeFormat

@testable import StateTapeServer

/// Lines that the format allows but no recorder writes: names with NULs and combining marks, extreme times and
/// numbers, random patches.
struct OddLines {
    private static let names = [
        "main", "detail#2", "\\u0000", "a\\u0000b", "a\\u0000c", "é", "e\\u0301", " ", "\\n", "👍", "gap", "null",
        String(repeating: "long ", count: 300), "\\ufffd", "\\u001f", "~1/", "\\\"", "%00", "ſ", "ﬁ", "\\ufeff",
    ]
    private static let numbers = [
        "0", "-0", "1", "-1", "1.5", "0.0004", "1e-400", "1e308", "1e999", "-1e999", "9007199254740991",
        "9007199254740993", "18446744073709551616", "9223372036854775807", "-9223372036854775808",
        "4503599627370.5",
        "1E+2", "0.1e1", "123456789012345678901234567890",
    ]
    private static let values =
        numbers + [
            "null", "true", "false", "\"\"", "\"\\u0000\"", "\"error\"", "\"warning\"", "[]", "{}", "[[1]]",
            "{\"push\":\"p\"}", "{\"push\":{\"a\":[1.10]}}", "{\"seq\":-1}", "{\"\":{\"\\u0000\":1}}",
            " {\"a\" : [ 1 , 2 ] }",
            "[null,{\"path\":1},{\"path\":\"/a\",\"from\":2},3]",
        ]
    private static let operations = [
        #"{"op":"add","path":"/n","value":1}"#, #"{"op":"remove","path":"/n"}"#,
        #"{"op":"add","path":"","value":[1]}"#,
        #"{"op":"copy","from":"","path":"/n"}"#, #"{"op":"move","from":"/n","path":"/m"}"#,
        #"{"op":"test","path":"/n","value":1.0}"#,
        #"{"op":"splice","path":"/n","at":9007199254740993,"remove":1,"insert":""}"#,
        #"{"op":"twist","path":"/n"}"#,
        #"{"op":"add","path":"n","value":1}"#, #"{"path":null}"#, "null", "7", "[]", "{}",
        #"{"op":"add","path":"/-"}"#,
    ]

    private(set) var next = 0
    private var chance: Chance

    init(_ seed: UInt64) {
        chance = Chance(seed)
    }

    private mutating func pick(_ texts: [String]) -> String { texts[chance.below(texts.count)] }

    /// The next line, valid in the format.
    mutating func line() -> EventLine {
        while true {
            if let line = try? EventLine(parsing: Array(text().utf8)) {
                next = line.seq + 1
                return line
            }
        }
    }

    private mutating func text() -> String {
        let kind = pick([
            "init", "action", "action", "action", "replace", "detach", "note", "gap", "end", pick(Self.names),
        ])
        let count = kind == "gap" ? chance.once(in: 50) ? 1 << 40 : 1 + chance.below(3) : 1
        var members = [
            "\"seq\":\(next + count - 1)", "\"at\":\(pick(Self.numbers))", "\"event\":\"\(kind)\"",
        ]
        if !chance.once(in: 3) { members.append("\"store\":\"\(pick(Self.names))\"") }
        if kind == "gap" { members.append("\"count\":\(chance.once(in: 4) ? "\(count).0" : "\(count)")") }
        if kind == "action" || chance.once(in: 20) {
            members.append("\"action\":{\"payload\":\(pick(Self.values)),\"type\":\"\(pick(Self.names))\"}")
        }
        switch kind {
        case "init": members.append("\"state\":\(state())")
        case "action", "replace":
            switch chance.below(6) {
            case 0: members.append("\"skipped\":true")
            case 1: members.append("\"state\":\(state())")
            default:
                members.append(
                    "\"patch\":[\((0..<chance.below(5)).map { _ in pick(Self.operations) }.joined(separator: ", "))]"
                )
            }
        case "note": members.append("\"text\":\"\(pick(Self.names))\"")
        default: break
        }
        for member in [
            "cause", "dispatch", "reason", "level", "took", "unfinished", "text", "x", "\\u0000", "skipped",
        ]
        where chance.once(in: 4) || member == "cause" && kind == "replace" || member == "reason" && kind == "gap" {
            members.append("\"\(member)\":\(pick(Self.values))")
        }
        // In any order.
        return "{" + members.shuffled(using: &chance).joined(separator: chance.once(in: 5) ? " , " : ",") + "}"
    }

    private mutating func state() -> String {
        switch chance.below(3) {
        case 0: pick(Self.values)
        // Long enough to be sealed as a patch.
        default:
            "{\"n\":\(pick(Self.values)),\"filler\":\"\(String(repeating: "filler ", count: 60))\",\"last\":\(pick(Self.numbers))}"
        }
    }
}
