import Foundation
import OrderedCollections
import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

/// A shape of data that says a secret's name in a value: what it holds under harmless and under secret names.
struct SecretShape: Sendable, CustomTestStringConvertible {
    /// What a test puts into secrets, also in base64: no line of a tape may have it.
    static let marks = ["hunter", "31337", "aHVudGVyMi", "h1bnRlcj", "odW50ZXIy"]

    let testDescription: String
    /// The places in which a tape shows a secret.
    let leaks: @Sendable () throws -> [String]

    /// Values with Codable.
    static func coded<Value: Codable & SendableMetatype>(
        _ name: String, isText: Bool = true, _ values: @escaping @Sendable () -> [Value]
    ) -> SecretShape {
        SecretShape(testDescription: name) {
            var leaks = Leaks()
            let values = values()
            try leaks.check(values, "a state")
            try leaks.check(values.map { Holder(value: $0) }, "a member")
            try leaks.check(values.map { Optional($0) }, "an optional")
            try leaks.check(
                values.map { ["a": .number(1), "b": .value($0)] as [String: NumberOr<Value>] }, "a dictionary's value")
            let lists = values.indices.map { index in values[index...] + values[..<index] }.map { Array($0) }
            try leaks.check(lists + [[], Array(values.dropLast()), Array(values.dropFirst())], "an element")
            try leaks.check(lists.map { $0.map { [$0] } }, "an element's element")
            for value in values {
                try leaks.check(action: value)
                try leaks.check(action: Holder(value: value))
                if isText { try leaks.check(text: value) }
            }
            return leaks.found
        }
    }

    /// A name and a value.
    static func pair<Value: Codable & SendableMetatype>(
        _ name: String, isText: Bool = true, _ make: @escaping @Sendable (_ name: String, _ value: String) -> Value
    ) -> SecretShape {
        coded(name, isText: isText) { samples.map(make) }
    }

    /// Values without Codable.
    static func reflected<Value: SendableMetatype>(
        _ name: String, _ values: @escaping @Sendable () -> [Value]
    ) -> SecretShape {
        SecretShape(testDescription: "reflected: " + name) {
            var leaks = Leaks()
            let values = values()
            try leaks.check(reflected: values, "a state")
            try leaks.check(reflected: values.map { PlainHolder(value: $0) }, "a member")
            try leaks.check(
                reflected: values.indices.map { Array(values[$0...] + values[..<$0]) } + [[]], "an element")
            for value in values { try leaks.check(reflectedAction: value) }
            return leaks.found
        }
    }

    static func reflectedPair<Value: SendableMetatype>(
        _ name: String, _ make: @escaping @Sendable (_ name: String, _ value: String) -> Value
    ) -> SecretShape {
        reflected(name) { samples.map(make) }
    }

    /// The name changes, the value changes, both do; a long text grows.
    private static let samples: [(String, String)] = [
        ("email", "ann"), ("password", "ann, hunter2"), ("password", "hunter3"), ("email", "bob"), ("email", "bo"),
        ("access_token", "hunter2"), ("access_token", long), ("access_token", long + "hunter"), ("title", "long"),
        ("Set-Cookie", long), ("theme", "dark"),
    ]
    private static let long = String(repeating: "hunter ", count: 20)
}

private struct Holder<Value: Codable>: Codable {
    var before = 1
    var value: Value
    var after = "x"
}

private struct PlainHolder<Value> {
    var before = 1
    var value: Value
}

private enum NumberOr<Value: Codable>: Codable {
    case number(Int)
    case value(Value)
}

/// Looks for secrets in everything that a value may become on a tape.
private struct Leaks {
    private(set) var found: [String] = []
    private let redactor = Redactor.standard

    private mutating func note(_ text: String, _ place: String) {
        if SecretShape.marks.contains(where: text.contains) { found.append("\(place): \(text.prefix(300))") }
    }

    mutating func check<Value: Encodable>(_ values: [Value], _ place: String) throws {
        try check(values, place) { $0 }
    }

    mutating func check<Value>(reflected values: [Value], _ place: String) throws {
        try check(values, place) { Reflected($0) }
    }

    /// The whole states, and the patches between any two of them, which must lead to the whole ones.
    private mutating func check<Value, Written: Encodable>(
        _ values: [Value], _ place: String, _ written: (Value) -> Written
    ) throws {
        let layouts = Layouts()
        let differ = Differ(layouts: layouts)
        let wholes = try values.map { value in
            let buffer = ByteBuffer()
            try DirectEncoder().encode(written(value), to: buffer)
            note(String(decoding: buffer.bytes, as: UTF8.self), "\(place), whole")
            return try JSON(parsing: buffer.bytes)
        }
        for (old, before) in zip(values, wholes) {
            for (new, after) in zip(values, wholes) {
                let buffer = ByteBuffer()
                try differ.difference(from: written(old), to: written(new), to: buffer)
                note(String(decoding: buffer.bytes, as: UTF8.self), "\(place), patch")
                var tree = before
                try Patch(JSON(parsing: buffer.bytes)).apply(to: &tree)
                if tree != after { found.append("\(place): the patch leads to \(tree.text), not to \(after.text)") }
            }
        }
    }

    mutating func check<Action: Codable>(action: Action) throws {
        let captured = ActionCodec<Action>().capture(action, nil)
        note(try captured.record(DirectEncoder()).text, "an action")
        let encoder = ActionEncoder(.standard)
        for _ in 0..<3 { try captured.write(to: encoder) }
        note(String(decoding: encoder.buffer.bytes, as: UTF8.self), "an action")
        let decoded = ActionCodec<any Encodable>(decoding: []).capture(action, nil)
        note(try decoded.record(DirectEncoder()).text, "an action behind a protocol")
    }

    mutating func check<Action>(reflectedAction action: Action) throws {
        note(try ActionCodec<Action>.reflecting().capture(action, nil).record(DirectEncoder()).text, "an action")
    }

    /// Its JSON as a note, and as a text in a state.
    mutating func check(text value: some Encodable) throws {
        let text = try TreeEncoder().tree(of: value).text
        note(redactor.readable(text), "a note")
        try check(["{}", text, text + "\n"], "a text")
    }
}
