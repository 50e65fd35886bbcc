import ResilientShapes
import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

private struct Twin: Codable, Equatable {
    var module = "StateTapeTests"
}

enum TwinFeature {
    struct Twin: Codable, Equatable { var module = "StateTapeTests.TwinFeature" }
}

private enum TwinCase: Codable, Equatable {
    case add(Int)
    case clear
}

private struct TwinBox<Content: Codable & Equatable>: Codable, Equatable {
    var content: Content
}

private struct Other: Codable, Equatable {}

@Suite("Names of the types of one store's actions")
struct ActionNamesTests {
    private func codec(_ types: [any Codable.Type]) -> ActionCodec<Any> { ActionCodec(decoding: types) }

    private func record(_ action: Any, _ codec: ActionCodec<Any>) throws -> JSON {
        let encoder = ActionEncoder(.standard)
        let captured = codec.capture(action, Layouts())
        try captured.write(to: encoder)
        let record = try JSON(parsing: encoder.buffer.bytes)
        #expect(try captured.record(DirectEncoder(.standard)) == record)
        return record
    }

    /// Checks that each action has its name and is read as itself, in both orders of recording.
    private func check(
        _ types: [any Codable.Type], _ expected: [(action: any Codable & Equatable, name: String)],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for expected in [expected, expected.reversed()] {
            let codec = codec(types)
            for (action, name) in expected + expected {
                let record = try record(action, codec)
                #expect(record["type"]?.string == name, sourceLocation: sourceLocation)
                let read = try codec.read(record).make()
                let isSame = isEqual(action, read)
                #expect(isSame, "\(record.text)", sourceLocation: sourceLocation)
            }
        }
    }

    private func isEqual<Value: Equatable>(_ one: Value, _ other: Any?) -> Bool { (other as? Value) == one }

    @Test("Types that can be dispatched have their modules in their names where these would be equal")
    func listed() throws {
        let types: [any Codable.Type] = [
            Twin.self, ResilientShapes.Twin.self, TwinFeature.Twin.self, ResilientShapes.TwinFeature.Twin.self,
            TwinCase.self, ResilientShapes.TwinCase.self, TwinBox<Twin>.self, TwinBox<ResilientShapes.Twin>.self,
            Other.self,
        ]
        try check(types, [(Twin(), "StateTapeTests.Twin"), (ResilientShapes.Twin(), "ResilientShapes.Twin")])
        try check(
            types,
            [
                (TwinFeature.Twin(), "StateTapeTests.TwinFeature.Twin"),
                (ResilientShapes.TwinFeature.Twin(), "ResilientShapes.TwinFeature.Twin"),
                (TwinCase.add(1), "StateTapeTests.TwinCase/add"), (TwinCase.clear, "StateTapeTests.TwinCase/clear"),
                (ResilientShapes.TwinCase.add(1), "ResilientShapes.TwinCase/add"),
                (TwinBox(content: Twin()), "StateTapeTests.TwinBox<StateTapeTests.Twin>"),
                (TwinBox(content: ResilientShapes.Twin()), "StateTapeTests.TwinBox<ResilientShapes.Twin>"),
                (Other(), "Other"),
            ])
        try check(
            [Twin.self, Twin.self, TwinFeature.Twin.self], [(Twin(), "Twin"), (TwinFeature.Twin(), "TwinFeature.Twin")])
    }

    @Test("A type that can't be dispatched takes no name that means another type, whatever is recorded first")
    func unlisted() throws {
        for actions in [[ResilientShapes.Twin(), Twin()] as [any Codable], [Twin(), ResilientShapes.Twin()]] {
            let codec = codec([Twin.self])
            let names = try actions.map { try record($0, codec)["type"] }
            #expect(names == actions.map { $0 is Twin ? "Twin" : "ResilientShapes.Twin" })
            #expect(try codec.read(["type": "Twin", "payload": ["module": "x"]]).make() as? Twin == Twin(module: "x"))
            #expect(throws: Pushed.Failure.self) { try codec.read(["type": "ResilientShapes.Twin"]) }
        }
        // Of several, the one that is recorded first has the short name, as long as the store lives.
        let codec = codec([])
        #expect(try record(ResilientShapes.Twin(), codec)["type"] == "Twin")
        #expect(try record(Twin(), codec)["type"] == "StateTapeTests.Twin")
        #expect(try record(TwinInAnotherFile.value, codec)["type"] == "StateTapeTests.Twin#2")
        #expect(try record(ResilientShapes.Twin(), codec)["type"] == "Twin")
    }

    @Test("A name that may mean several types is refused, with these types")
    func ambiguous() throws {
        let codec = codec([Twin.self, ResilientShapes.Twin.self, TwinCase.self, ResilientShapes.TwinCase.self])
        for type in ["Twin", "TwinCase/add"] {
            let error = #expect(throws: Pushed.Failure.self) { try codec.read(["type": .string(type)]) }
            let name = try #require(ActionName.split(type).first)
            #expect(error?.code == .decode && error?.path == "/type")
            #expect(
                error?.message
                    == "“\(name)” may be one of “StateTapeTests.\(name)”, “ResilientShapes.\(name)”: use one of these names"
            )
        }
        // The name that says which one is read also by a store that has only one of them.
        let payload: JSON = ["module": "x"]
        let one = self.codec([ResilientShapes.Twin.self])
        #expect(try one.read(["type": "ResilientShapes.Twin", "payload": payload]).make() is ResilientShapes.Twin)
        #expect(try one.read(["type": "ResilientShapes.Twin", "payload": payload]).record()["type"] == "Twin")
        #expect(throws: Pushed.Failure.self) { try one.read(["type": "StateTapeTests.Twin", "payload": payload]) }
    }

    @Test("Types that no name distinguishes are numbered, and none of them is dispatched")
    func alike() throws {
        let codec = codec([Twin.self, TwinInAnotherFile.type, TwinInAnotherFile.local, Other.self])
        #expect(try record(Twin(), codec)["type"] == "StateTapeTests.Twin#1")
        #expect(try record(TwinInAnotherFile.value, codec)["type"] == "StateTapeTests.Twin#2")
        for name in ["Twin", "StateTapeTests.Twin", "StateTapeTests.Twin#1"] {
            let error = #expect(throws: Pushed.Failure.self) { try codec.read(["type": .string(name)]) }
            #expect(
                error?.message
                    == "“decoding:” has several types “StateTapeTests.Twin”, private to their files: rename all but one"
            )
        }
        #expect(try codec.read(["type": "Other"]).make() is Other)
    }
}
