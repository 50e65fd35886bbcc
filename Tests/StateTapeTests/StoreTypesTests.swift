import Foundation
import StateTapeStore
import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

private struct Hidden: Codable {}
private protocol Act: Codable {}
private struct Feature {
    struct State: Codable { var count = 0 }
    enum Action: Codable { case up }
}

/// Types that a test of an app names. This file's own are private, so that `(private)` stands in their names.
struct StoreTypesTests {
    struct State: Codable { var count = 0 }
    enum Action: Codable { case up }
    struct Box<Value: Codable>: Codable { struct Inner: Codable {} }

    private static let module = "StateTapeTests"

    @Test("The tape has a type's name as source code has it, with its module")
    func names() {
        struct Local {}
        let own = "\(Self.module).StoreTypesTests"
        let cases: [(Any.Type, String?)] = [
            (State.self, "\(own).State"), (Box<Int>.self, "\(own).Box<Swift.Int>"),
            (Box<[State]>.Inner.self, "\(own).Box<Swift.Array<\(own).State>>.Inner"),
            (Hidden.self, "\(Self.module).(private).Hidden"),
            (Feature.State.self, "\(Self.module).(private).Feature.State"),
            (Local.self, "\(own).(private).(private).Local"), (Int.self, "Swift.Int"),
            ([String: Date].self, "Swift.Dictionary<Swift.String, Foundation.Date>"),
            (Date?.self, "Swift.Optional<Foundation.Date>"), ((Int, State).self, nil), ((() -> Void).self, nil),
        ]
        for (type, name) in cases {
            #expect(TypeName.inSource(type) == name, "\(type)")
        }
        #expect(TypeName.inSource((any Act).self, isProtocol: true) == "any \(Self.module).(private).Act")
        let reducing = (any SelfReducing<State>).self
        #expect(TypeName.inSource(reducing, isProtocol: true) == "any StateTapeStore.SelfReducing<\(own).State>")
    }

    /// Records with a tape file, and returns its lines.
    private func tape(_ body: (Recorder) -> Void) throws -> [JSON] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tape")
        defer { try? FileManager.default.removeItem(at: file) }
        let recorder = Recorder(.test(file: file.path))
        body(recorder)
        recorder.finish()
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { try JSON(parsing: $0.utf8) }
    }

    @Test("The header has the types of the stores tracked before the first event, and init those of later ones")
    func header() throws {
        var kept: [Any] = []
        let lines = try tape { recorder in
            let main = recorder.track(State(), Action.self)
            let reflected = recorder.track(reflecting: .actions, initial: 1, (any Error).self, name: "reflected")
            _ = (main.start, reflected.start)
            recorder.settle()
            let late = recorder.track(State(), (any Act).self, decoding: [Hidden.self], name: "late")
            _ = late.start
            kept = [main, reflected, late]
        }
        #expect(kept.count == 3)
        let own = "\(Self.module).StoreTypesTests"
        let header = try Header(#require(lines.first))
        #expect(header.types == ["main": .init(state: "\(own).State", action: "\(own).Action")])
        #expect(header.target == Self.module)
        let inits = lines.filter { $0["event"]?.string == "init" }
        #expect(inits.map { $0["types"] != nil } == [false, false, true])
        let late = inits.last?["types"].flatMap(Header.StoreTypes.init)
        #expect(late?.action == "any \(Self.module).(private).Act" && late?.decoding.count == 1)
        #expect(try Header(header.json) == header)
    }

    @Test("Long lists of types leave the header short")
    func long() throws {
        typealias Part = Box<Box<Box<Box<Box<Box<State>>>>>>
        typealias Long = Box<Box<Box<Box<Box<Box<Box<Box<Box<Box<Box<Part>>>>>>>>>>>
        #expect(TypeName.inSource(Long.self) == nil)
        var kept: [Any] = []
        let lines = try tape { recorder in
            for number in 0..<100 {
                let track = recorder.track(State(), Action.self, name: "store \(number)")
                kept.append(track)
            }
            for case let track as Track<State, Action> in kept { _ = track.start }
        }
        let header = try #require(lines.first)
        #expect(header.bytes.count < 8 << 10)
        let inits = lines.filter { $0["event"]?.string == "init" }
        let named = try Header(header).types.count
        #expect(named > 10 && inits.filter { $0["types"] != nil }.count == 100 - named)
    }

    @Test("What others write under the same names stays as it is")
    func others() throws {
        for (types, target): (JSON, JSON) in [("x", 1), (["main": "x"], ["a"]), (["main": ["state": 1]], true)] {
            let json: JSON = [
                "tape": 1, "session": "SESSION-0001", "app": ["id": "a"], "started": "2026-11-20T10:00:00Z",
                "types": types, "target": target,
            ]
            let header = try Header(json)
            #expect(header.types.isEmpty && header.target == nil)
            #expect(header.json["types"] == types && header.json["target"] == target)
        }
    }
}
