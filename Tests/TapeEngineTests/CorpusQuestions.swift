import Foundation
import SampleTapes
import TapeFormat

@testable import TapeEngine

/// The queries about the tapes of the corpus.
enum CorpusQuestions {
    private static let conditions: [(String, [String])] = [
        ("type", ["todos", "todos/add", "TODOS/*", "*/b", "*", "text.edit", "ä/b", "Ä/B", "a/b", "*o*e*"]),
        ("store", ["main", "MAIN", "side", "*", "caf*", "Café/x", "none"]),
        (
            "q",
            [
                "milk", "MILK", "äpfel", "Äpfel", "ÄPFEL", "ΑΠΌ", "SAY \"hi", "/items", "patch", "move", "note",
                "ERROR", "p1", "overflow",
                "title",
                "say \"", "back\\", "😀", "two", "app.swift", "true", "gap", "init", "1.0", "123456789", "<b>",
                "take",
            ]
        ),
        ("level", ["error", "WARNING", "*", "info", "none"]),
        ("re", ["todos/(add|Remove)", #""n":-?\d"#, "Ä", "note .*1", "^.*splice"]),
        (
            "path",
            [
                "/items", "/items/0", "/items/1/title", "/n", "", "/none", "/byName/a~1b", "/list", "/text",
                "/items/*/title", "/*", "/byName/*",
            ]
        ),
        (
            "value",
            [
                "Milk", "milk", "7", "1", "1.0", "1000", "0.1", "-0", "12345678901234567890.1", "a/b", "~tilde",
                "say \"hi\"", "back\\slash", "title", "", "Äpfel", "äPFEL", "é", "two\nlines", "todos/add", "patch",
                "\"Milk\"", "\"milk\"", "\"7\"", "ilk", "add", "true",
                "null", "HI\"", "\"",
            ]
        ),
    ]

    /// The API paths below a session's.
    static func make(_ lines: [EventLine], _ chance: inout Chance) -> [String] {
        let last = lines.last?.seq ?? 0
        var paths = [
            "/events?fields=head", "/events?fields=preview", "/overview", "/histogram?buckets=1",
            "/histogram?buckets=37", "/activity?buckets=37&pause=20", "/activity?buckets=7",
            "/activity?buckets=5&pause=1&from=3&to=20",
        ]
        for seq in [0, last] + (0..<14).map({ _ in chance.below(last) }) {
            for store in ["main", "side", "Caf%C3%A9/x", "none"] { paths.append("/states/\(seq)?store=\(store)") }
        }
        for _ in 0..<2 {
            let from = chance.below(last)
            paths.append("/tape?from=\(from)&to=\(from + chance.below(last - from + 1))")
            paths.append("/events?fields=head&from=\(from)&limit=\(1 + chance.below(9))")
        }
        for number in 0..<40 {
            let query = (0...(number % 3)).map { _ in condition(&chance) }.joined(separator: "&")
            paths += ["/matches?\(query)"]
            if number % 4 == 0 {
                paths += ["/histogram?buckets=11&\(query)", "/events?fields=head&limit=5&\(query)"]
                paths.append("/events?fields=preview&limit=5&\(query)")
            }
        }
        for seq in 0...last { paths += ["/events/\(seq)/causes", "/matches?cause=\(seq)"] }
        paths += ["/matches?level=error", "/matches?-level=error&type=todos", "/matches?q=CARTERROR"]
        paths += ["/matches?-cause=3", "/matches?cause=1&cause=2&-type=todos", "/matches?cause=5&q=milk"]
        return paths
    }

    private static func condition(_ chance: inout Chance) -> String {
        let (name, values) = conditions[chance.below(conditions.count)]
        let value = values[chance.below(values.count)]
        let escaped = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return "\(chance.once(in: 4) ? "-" : "")\(name)=\(escaped)"
    }

    /// Variants of a tape, by the change.
    ///
    /// - Parameter state: The state after a line; nil where it isn't known.
    static func variants(
        of lines: [EventLine], _ chance: inout Chance, state: (EventLine) throws -> JSON?
    ) rethrows -> [(String, [EventLine])] {
        var variants = [("shorter", Array(lines.dropLast(1 + chance.below(40))))]
        variants.append(("times", lines.map { changed($0) { $0["at"] = .number(.init($0["at"]?.int ?? 0)) } }))
        let actions = lines.indices.filter { lines[$0].kind == .action }
        let place = actions[chance.below(actions.count)]
        variants.append(("payload", replaced(lines, place) { $0["action"] = ["type": "other", "payload": [1]] }))
        variants.append(("error", replaced(lines, place) { $0["error"] = "CartError.other" }))
        for name in ["items", "list"] {
            let known = try actions.filter { place in
                try lines[place]["patch"] != nil && state(lines[place])?[name]?.array?.count ?? 0 > 1
            }
            guard !known.isEmpty else { continue }
            let line = lines[known[chance.below(known.count)]]
            let elements = try state(line)?[name]?.array ?? []
            let place = lines.firstIndex { $0.seq == line.seq } ?? 0
            variants.append((name, replaced(lines, place) { reorder(&$0, line, name, elements, &chance) }))
        }
        return variants
    }

    /// Adds an operation that reorders an array of the state, and sometimes adds an element.
    private static func reorder(
        _ object: inout JSON.Object, _ line: EventLine, _ name: String, _ elements: [JSON], _ chance: inout Chance
    ) {
        var elements = elements
        if chance.once(in: 2) {
            elements.insert(elements.removeFirst(), at: chance.below(elements.count + 1))
        } else {
            elements.shuffle(using: &chance)
        }
        if chance.once(in: 4) { elements.insert("new", at: chance.below(elements.count + 1)) }
        let operation: JSON = ["op": "replace", "path": .string("/" + name), "value": .array(elements)]
        object["patch"] = .array((line["patch"]?.array ?? []) + [operation])
    }

    private static func replaced(
        _ lines: [EventLine], _ place: Int, _ change: (inout JSON.Object) -> Void
    ) -> [EventLine] {
        var lines = lines
        lines[place] = changed(lines[place], change)
        return lines
    }

    private static func changed(_ line: EventLine, _ change: (inout JSON.Object) -> Void) -> EventLine {
        var object = (try? JSON(parsing: line.bytes).object) ?? JSON.Object()
        change(&object)
        return (try? EventLine(parsing: JSON.object(object).bytes)) ?? line
    }
}
