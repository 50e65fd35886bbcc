import Foundation
import StateTape
import Testing

@testable import StateTapeTesting

@Suite("Types that have changed since a tape was recorded")
struct TypeChangeTests {
    private let scene: Scene
    private let tape: String

    init() throws {
        scene = try Scene()
        tape = scene.record([.add(name: "soap", price: 2), .clear, .tag(["a"])])
    }

    private struct Renamed: Codable {
        var items: [Cart.Item]
        var sum: Double
    }

    private struct Grown: Codable {
        var items: [Cart.Item] = []
        var total = 0.0
        var tags: [String] = []
        var changed: String?
        var token = "none"
        var currency = "EUR"
    }

    private struct Shrunk: Codable {
        var items: [Cart.Item] = []
        var total = 0.0
        var tags: [String] = []
        var token = "none"
    }

    private enum Other: Codable {
        case add(name: String, price: String)
        case clear
    }

    @Test("A missing member without a value is impossible, and nothing runs")
    func impossible() {
        var isRun = false
        let text = failure {
            Replay(tape).verify(Renamed.self, CartAction.self) { _, _ in isRun = true }
        }
        #expect(text.contains("The types have changed since the tape was recorded"))
        #expect(text.contains("impossible: state"))
        #expect(text.contains("sum") && !isRun)
    }

    @Test("A new member with a value of the initial state is fine, and is not compared")
    func fine() {
        let text = failure {
            Replay(tape).verify(Grown.self, CartAction.self, initial: Grown()) { grown, action in
                var cart = Cart(items: grown.items, total: grown.total, tags: grown.tags, token: grown.token)
                reduce(&cart, action)
                (grown.items, grown.total, grown.tags) = (cart.items, cart.total, cart.tags)
            }
        }
        #expect(text == "")
    }

    @Test("A member that no type reads any more is risky, and is not compared")
    func risky() {
        let changed = scene.record([.clear], as: "risky.tape", initial: Cart(changed: "then"))
        let text = failure {
            Replay(changed).verify(Shrunk.self, CartAction.self, initial: Shrunk()) { state, _ in state = Shrunk() }
        }
        #expect(text == "")
    }

    @Test("Actions that no longer decode are listed, each kind once")
    func actions() {
        let text = failure { Replay(tape).verify(Cart.self, Other.self) { _, _ in } }
        #expect(text.contains("impossible: action “add” /payload/price: expected a string, found a number (event 1)"))
        #expect(text.contains("impossible: action “tag”"))
        #expect(!text.contains("“clear”"))
    }
}
