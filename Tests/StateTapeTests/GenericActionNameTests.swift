import StateTapeStore
import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

enum FeedFeature {
    struct Ask: SelfExecuting, Codable {
        func execute() async -> Int { 1 }
        func reduce(_ state: inout Int, _ output: Int) { state += output }
    }
    enum Box<Content: Codable & Sendable>: Codable, Sendable { case full(Content), empty }
}

enum CartFeature {
    struct Ask: SelfExecuting, Codable {
        func execute() async -> Int { 10 }
        func reduce(_ state: inout Int, _ output: Int) { state += output }
    }
}

private enum Hidden {
    struct Ask: SelfExecuting, Codable {
        func execute() async -> Int { 100 }
        func reduce(_ state: inout Int, _ output: Int) { state += output }
    }
}

@Suite("Names of generic actions")
struct GenericActionNameTests {
    private let codec = ActionCodec<any SelfReducing<Int>>(decoding: [
        Finished<FeedFeature.Ask>.self, Finished<CartFeature.Ask>.self, Finished<Hidden.Ask>.self,
    ])

    private func record(_ action: any SelfReducing<Int>) throws -> JSON {
        try codec.capture(action, Layouts()).record(DirectEncoder())
    }

    @Test("Results of two actions with the same name in different features are told apart, and decode")
    func nested() throws {
        let feed = try record(Finished(FeedFeature.Ask(), .output(1)))
        let cart = try record(Finished(CartFeature.Ask(), .output(2)))
        let hidden = try record(Finished(Hidden.Ask(), .failure("no")))
        #expect(feed["type"] == "Finished<FeedFeature.Ask>")
        #expect(cart["type"] == "Finished<CartFeature.Ask>")
        #expect(hidden["type"] == "Finished<Hidden.Ask>")
        #expect(try codec.read(feed).make() is Finished<FeedFeature.Ask>)
        #expect(try codec.read(cart).make() is Finished<CartFeature.Ask>)
        #expect(try codec.read(hidden).make() is Finished<Hidden.Ask>)
    }

    @Test("The name that older tapes have decodes if only one type has it")
    func short() throws {
        var json = try record(Finished(CartFeature.Ask(), .output(2))).object ?? JSON.Object([])
        json["type"] = "Finished<Ask>"
        let one = ActionCodec<any SelfReducing<Int>>(decoding: [CartFeature.Ask.self, Finished<CartFeature.Ask>.self])
        let maker = try one.read(.object(json))
        #expect(maker.make() is Finished<CartFeature.Ask>)
        #expect(maker.record()["type"] == "Finished<CartFeature.Ask>")
        #expect(throws: Pushed.Failure.self) { try codec.read(.object(json)) }
    }

    @Test(
        "A name has the outer types of all its arguments, and no modules",
        arguments: [
            ("App.Finished<App.Feed.Ask>", "Finished<Feed.Ask>"),
            (
                "App.Feed.Box<Swift.Dictionary<Swift.String, (Swift.Int, App.Cart.Ask)>>.In",
                "Feed.Box<Dictionary<String, (Int, Cart.Ask)>>.In"
            ),
            ("App.Finished<App.(unknown context at $55).P.Ask>", "Finished<P.Ask>"),
            ("App.Finished<App.(unknown context at $55).(unknown context at $66).L>", "Finished<L>"),
            ("App.(unknown context at $55).Box<Swift.Int>", "Box<Int>"),
            ("App.Finished<(Swift.Int) -> App.Cart.Ask>", "Finished<(Int) -> Cart.Ask>"),
            ("App.Größe<App.日本.Ä>", "Größe<日本.Ä>"),
            ("<<((..", "<<((.."), ("(unknown context", "(unknown context"), ("App.<", "<"), ("", ""),
        ])
    func names(_ reflected: String, _ name: String) {
        #expect(TypeName.withoutModules(reflected) == name)
    }
}
