import Foundation
import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

private struct Counter: Codable { var count = 0 }
private enum Step: Codable { case up, by(Int) }
private struct Token: Codable { var text = "default value" }

/// Each value has a type that none of the others has.
private indirect enum Growing<Value> {
    case end(Value)
    case next(Growing<[Value]>)
}

/// Members, enough for a table that is too long.
private struct Wide<Value: Codable>: Codable {
    var first: [Value], second: [Value], third: [Value], fourth: [Value], fifth: [Value], sixth: [Value]
}

@Suite("What the types of a store look like on the tape")
struct TypeTableTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../Fixtures/swift-values.json")

    @Test("The page's fixture has the tables and values of all shapes")
    func fixture() throws {
        let shapes = try TypeTableShape.all().map { shape in
            var json = JSON.Object([("kind", .string(shape.kind))])
            json["swift"] = shape.swift
            json["state"] = shape.state
            json["action"] = shape.action
            json["text"] = shape.text.map(JSON.string) ?? .null
            if shape.action != nil { json["actionText"] = shape.actionText.map(JSON.string) ?? .null }
            return JSON.object(json)
        }
        if ProcessInfo.processInfo.environment["STATETAPE_WRITE_FIXTURES"] != nil {
            let lines = shapes.map { String(decoding: $0.bytes, as: UTF8.self) }
            try Data("[\n\(lines.joined(separator: ",\n"))\n]\n".utf8).write(to: Self.file)
        }
        let held = try JSON(parsing: Data(contentsOf: Self.file)).array ?? []
        #expect(held.count == shapes.count)
        for (shape, held) in zip(shapes, held) { #expect(shape == held, "\(shape["kind"]?.string ?? "")") }
    }

    @Test("A table has no values: no defaults, and no raw values that are not their cases' names")
    func values() throws {
        var tables = try TypeTableShape.all().compactMap(\.swift)
        if let table = TypeTable.json(state: Token.self, action: Int.self, named: nil) { tables.append(table) }
        let texts = tables.map { String(decoding: $0.bytes, as: UTF8.self) }
        for secret in ["default value", "another text", "s3cret", "Main St", "0x"] {
            #expect(!texts.contains { $0.contains(secret) }, "\(secret)")
        }
    }

    @Test("A long or endless table has the types near the state")
    func bounds() throws {
        let growing = try #require(TypeTable.json(state: Growing<Int>.self, action: Step.self, named: nil))
        #expect(growing.bytes.count < 26 << 10)
        #expect(growing["types"]?[1]?["name"] == "Step")
        var types: [(name: String, type: Any.Type)] = []
        func add<Value: Codable>(_ type: Value.Type, _ depth: Int) {
            types.append(("\(types.count)", type))
            if depth < 30 { add(Wide<Value>.self, depth + 1) }
        }
        for base in [Int.self, Int8.self, Int16.self, Int32.self, Int64.self] as [any Codable.Type] { add(base, 0) }
        let wide = try #require(TypeTable.json(state: Step.self, action: Int.self, named: types))
        #expect(wide.bytes.count < 28 << 10 && wide["actions"]?.object?.count == types.count)
        let count = try #require(wide["types"]?.array?.count)
        #expect(count > 50 && count < types.count && wide["types"]?[0]?["name"] == "Step")
    }

    /// Records with a tape file, and returns the events.
    private func events(_ comparison: Comparison = .layout, _ body: (Recorder) -> Void) throws -> [JSON] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tape")
        defer { try? FileManager.default.removeItem(at: file) }
        var configuration = Recorder.Configuration.test(file: file.path)
        configuration.comparison = comparison
        let recorder = Recorder(configuration)
        body(recorder)
        recorder.finish()
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        return try lines.dropFirst().map { try JSON(parsing: $0.utf8) }
    }

    private func countUp(_ recorder: Recorder, _ name: String) {
        let track = recorder.track(Counter(), Step.self, name: name)
        var state = track.start
        for _ in 0..<3 { track.record(.up, &state) { $0.count += 1 } }
        withExtendedLifetime(track) { recorder.settle() }
    }

    @Test("The first init of some types has the table, the next one its number, and no action has any of it")
    func recorded() throws {
        let events = try events { recorder in
            for name in ["main", "detail"] { countUp(recorder, name) }
            _ = recorder.track(1, Step.self, name: "other").start
            recorder.settle()
        }
        let inits = events.filter { $0["event"] == "init" }
        #expect(
            inits.map { $0["swift"]?["types"]?.array?.compactMap { $0["name"]?.string } } == [
                ["Counter", "Step"], nil, ["Step"],
            ])
        #expect(inits.dropFirst().first?["swift"] == ["seq": 0])
        #expect(events.filter { $0["event"] != "init" }.allSatisfy { $0["swift"] == nil })
    }

    @Test("Where layouts can't be read, there is no table")
    func encoded() throws {
        let events = try events(.encoded) { countUp($0, "main") }
        #expect(events.count >= 4 && events.allSatisfy { $0["swift"] == nil })
    }
}
