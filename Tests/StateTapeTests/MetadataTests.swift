import Testing

@testable import StateCapture

@Suite("The door to the runtime's metadata")
struct MetadataTests {
    private struct Pair {
        var number: Int
        var texts: [String]
    }

    private enum Choice {
        case none
        case some(Int)
    }

    @Test(
        "Where the self-test fails, a type has no fact but its kind",
        arguments: [Pair.self, Choice.self, Int?.self, [String].self, (Int, Int).self] as [Any.Type])
    func closed(_ type: Any.Type) {
        let (open, closed) = (Metadata(type), Metadata(type, isOpen: false))
        #expect(open.kind != nil && open.kind == closed.kind)
        #expect(open.fields != nil && closed.fields == nil)
        #expect(closed.arguments == nil && closed.declarationID == nil)
        #expect(closed.fixedArray == nil && closed.inlineArray == nil && closed.value(ofCase: "some") == nil)
        #expect(!closed.isForeign && closed.labels == nil)
    }
}
