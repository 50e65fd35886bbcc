import Foundation
import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

@Suite("A state that no longer fits its type")
struct RestoreTests {
    enum Kind: String, Codable { case food, tool }

    enum Screen: Codable, Equatable {
        case list
        case detail(id: Int)
    }

    struct Item: Codable, Equatable {
        var id: Int
        var title: String
        var quantity = 1
        var kind = Kind.food
        var note: String?
    }

    struct Cart: Codable, Equatable {
        var quantity = 0
        var coupon: Int?
    }

    struct State: Codable, Equatable {
        var cart = Cart()
        var items: [Item] = []
        var named: [String: Item] = [:]
        var screen = Screen.list
        var count = 7
    }

    private func restore<Value: Codable>(_ text: String, over initial: Value) throws -> Overlay.Outcome<Value> {
        try Overlay.restore(Value.self, from: JSON(parsing: text), over: TreeEncoder().tree(of: initial))
    }

    private func restore(_ text: String) throws -> Overlay.Outcome<State> { try restore(text, over: State()) }

    private func lost(_ outcome: Overlay.Outcome<State>) -> [[String]] {
        outcome.adjustments.lost.map { [$0.path, $0.instead.rawValue] }
    }

    @Test("A new member of an element takes an empty value, and the element stays")
    func newMemberOfElement() throws {
        let outcome = try restore(
            #"{"cart":{"quantity":2},"items":[{"id":1,"title":"a","kind":"tool"}],"named":{},"screen":{"list":{}},"count":1}"#
        )
        #expect(outcome.value.items == [Item(id: 1, title: "a", quantity: 0, kind: .tool)])
        #expect(outcome.adjustments == Adjustments(filled: ["/items/0/quantity"]))
    }

    @Test("A removed case takes the initial state's value, and an element without one is left out")
    func removedCase() throws {
        let outcome = try restore(
            """
            {"cart":{"quantity":2},"items":[{"id":1,"title":"a","quantity":1,"kind":"gone"},
            {"id":2,"title":"b","quantity":1,"kind":"tool"}],"named":{},"screen":{"old":{"_0":1}},"count":1}
            """)
        #expect(outcome.value.items == [Item(id: 2, title: "b", kind: .tool)] && outcome.value.screen == .list)
        #expect(lost(outcome) == [["/items/0", "removed"], ["/screen", "initial"]])
        #expect(outcome.adjustments.lost.allSatisfy { !$0.reason.isEmpty })
    }

    @Test("A changed type takes the initial state's value, nil or an empty value")
    func changedType() throws {
        let outcome = try restore(
            """
            {"cart":{"quantity":3,"coupon":"x"},"items":[{"id":1,"title":5,"quantity":1,"kind":"food","note":6}],
            "named":{},"screen":{"list":{}},"count":"many"}
            """)
        #expect(outcome.value.count == 7 && outcome.value.cart == Cart(quantity: 3, coupon: nil))
        #expect(outcome.value.items == [Item(id: 1, title: "")])
        #expect(
            lost(outcome) == [
                ["/cart/coupon", "nil"], ["/items/0/title", "empty"], ["/items/0/note", "nil"], ["/count", "initial"],
            ])
    }

    @Test("A secret that was left out takes nil, else the initial state's value, else an empty value")
    func secrets() throws {
        let secret = #"{"$redacted":true}"#
        let outcome = try restore(
            """
            {"cart":{"quantity":\(secret),"coupon":\(secret)},"items":[{"id":1,"title":\(secret),"quantity":1,
            "kind":"food","note":\(secret)}],"named":{},"screen":\(secret),"count":4}
            """)
        #expect(outcome.value.cart == Cart() && outcome.value.count == 4 && outcome.value.screen == .list)
        #expect(outcome.value.items == [Item(id: 1, title: "")])
        #expect(
            lost(outcome) == [
                ["/cart/quantity", "initial"], ["/cart/coupon", "nil"], ["/items/0/title", "empty"],
                ["/items/0/note", "nil"], ["/screen", "initial"],
            ])
    }

    @Test("An element or entry of which nothing can be kept is left out")
    func elements() throws {
        let outcome = try restore(
            """
            {"cart":{"quantity":1},"items":[5,{"id":2,"title":"b","quantity":1,"kind":"tool"}],
            "named":{"a":[],"b":{"id":1,"title":"","quantity":1,"kind":"food"}},"screen":{"list":{}},"count":1}
            """)
        #expect(outcome.value.items.map(\.id) == [2] && outcome.value.named.keys.sorted() == ["b"])
        #expect(lost(outcome) == [["/items/0", "removed"], ["/named/a", "removed"]])
    }

    @Test("Sets and dictionaries with other keys keep what they can")
    func otherCollections() throws {
        struct Other: Codable, Equatable {
            var kinds: Set<Kind> = []
            var counts: [Int: Int] = [:]
            var byKind: [[Int]: Kind] = [:]
            var last = 0
        }
        let outcome = try restore(
            #"{"kinds":["food","gone"],"counts":{"1":2,"3":"x"},"byKind":[[1],"tool",[2],"gone"],"last":"x"}"#,
            over: Other())
        #expect(outcome.value == Other(kinds: [.food], counts: [1: 2], byKind: [[1]: .tool]))
        #expect(outcome.adjustments.lost.map(\.path) == ["/kinds/1", "/counts/3", "/byKind/3", "/last"])
    }

    @Test("What is said of a lost place covers what is below it")
    func below() throws {
        let outcome = try restore(
            #"{"cart":{"quantity":1},"items":[],"named":{},"screen":{"detail":{"no":{"way":1}},"list":{}},"count":1}"#)
        #expect(lost(outcome) == [["/screen", "initial"]] && outcome.adjustments.ignored.isEmpty)
    }

    @Test("A state of which nothing can be kept is refused with the first error")
    func nothing() throws {
        for text in [#"{"count":"x","other":1}"#, #"[1]"#, #"{"$redacted":true}"#, "5"] {
            #expect(throws: Pushed.Failure.self) { try restore(text) }
        }
    }

    @Test(
        "An object none of whose members the state has is refused, edited or not",
        arguments: [
            (#"{"a":1}"#, false), (#"{"type":"cart/add","payload":{"_0":1}}"#, false), (#"{"a":{"count":1}}"#, false),
            (#"{"a":1,"count":2}"#, true), (#"{"coupon":null}"#, false), ("{}", true),
        ])
    func foreign(_ text: String, _ isRead: Bool) throws {
        let (states, tape, initial) = (
            StateCodec<State>(), try JSON(parsing: text), try TreeEncoder().tree(of: State())
        )
        for isExact in [false, true] {
            do throws(Pushed.Failure) {
                _ = try states.read(tape, initial, isExact)
                #expect(isRead)
            } catch {
                #expect(!isRead && error.code == .decode && error.path == nil)
                #expect(
                    error.message == "no member of it is a member of the app's state (State): is it the right file?")
            }
        }
    }

    private final class Chain: Codable {
        var next: Chain
        var other: Chain
    }

    private struct Chained: Codable {
        var count = 0
        var chains: [Chain] = []
    }

    @Test("A class that requires itself ends the attempt")
    func endless() throws {
        let outcome = try restore(#"{"count":1,"chains":[{"next":5}]}"#, over: Chained())
        #expect(outcome.value.count == 1 && outcome.value.chains.isEmpty)
    }

    @Test("Many places are kept, and at most 100 reported")
    func many() throws {
        let elements = Array(repeating: #"{"id":1,"kind":"gone"}"#, count: 5_000).joined(separator: ",")
        let outcome = try restore(
            #"{"cart":{"quantity":1},"items":[\#(elements)],"named":{},"screen":{"list":{}},"count":1}"#)
        #expect(outcome.value.items.isEmpty && outcome.adjustments.lost.count == 100)
    }
}
