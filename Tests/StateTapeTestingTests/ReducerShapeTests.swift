import StateTape
import Testing

@testable import StateTapeTesting

/// Reducers that return the next state, the last one as ReSwift has them.
private func next(_ cart: Cart, _ action: CartAction) -> Cart {
    var cart = cart
    reduce(&cart, action)
    return cart
}

private func nextBySwappedArguments(action: CartAction, state: Cart?) -> Cart { next(state ?? Cart(), action) }

private protocol Step: Sendable {}
private struct Add: Step, Codable { let price: Double }

private func step(action: any Step, state: Cart?) -> Cart {
    var cart = state ?? Cart()
    cart.total += (action as? Add)?.price ?? 0
    return cart
}

private func stepInPlace(_ cart: Cart, _ action: any Step) -> Cart { step(action: action, state: cart) }

@Suite("Replaying through each form of a reducer")
struct ReducerShapeTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    @Test("A reducer that returns the next state is passed by its name alone, as a generated test does")
    func returning() {
        let tape = scene.record([.add(name: "tea", price: 2), .add(name: "soap", price: 1)])
        let replay = Replay(tape)
        #expect(failure { replay.verify(Cart.self, CartAction.self, reducer: next) } == "")
        #expect(failure { replay.verify(Cart.self, CartAction.self, reducer: nextBySwappedArguments) } == "")
        let wrong = failure {
            replay.verify(Cart.self, CartAction.self) { (cart, _) -> Cart in Cart(items: cart.items, total: 9) }
        }
        #expect(wrong.contains("after event 1, “add”") && wrong.contains("/total: recorded 2, now 9"))
    }

    @Test("Actions behind a protocol reach such a reducer, too")
    func behindProtocol() {
        let tape = Recorder(.init(file: scene.path("steps.tape")))
        let track = tape.track(Cart(), (any Step).self, decoding: [Add.self])
        var cart = track.start
        track.record(Add(price: 3), &cart) { $0 = step(action: Add(price: 3), state: $0) }
        tape.finish()
        withExtendedLifetime(track) {}
        let replay = Replay(scene.path("steps.tape"))
        for text in [
            failure { replay.verify(Cart.self, (any Step).self, decoding: [Add.self], reducer: step) },
            failure { replay.verify(Cart.self, (any Step).self, decoding: [Add.self], reducer: stepInPlace) },
        ] { #expect(text == "") }
    }

    @Test("A closure that only throws changes the state in place")
    func throwing() {
        struct Broken: Error {}
        let tape = scene.record([.clear])
        let text = failure { Replay(tape).verify(Cart.self, CartAction.self) { _, _ in throw Broken() } }
        #expect(text.contains("the reducer threw: recorded no error, now “Broken"), "\(text)")
    }
}
