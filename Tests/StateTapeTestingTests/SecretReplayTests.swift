import Foundation
import StateTape
import TapeEngine
import Testing

import struct TapeFormat.EventLine
import enum TapeFormat.JSON
import struct TapeFormat.Pointer

@testable import StateTapeTesting

@Suite("Replaying actions whose secrets the tape lacks")
struct SecretReplayTests {
    private let scene: Scene
    private let tape: String

    init() throws {
        scene = try Scene()
        tape = scene.record(
            [.signIn(token: "t1"), .add(name: "tea", price: 1), .signIn(token: "t2")], initial: Cart(token: "t0"))
    }

    /// A reducer with a fault in the action that holds the secret.
    private func faulty(_ cart: inout Cart, _ action: CartAction) {
        reduce(&cart, action)
        if case .signIn = action { cart.total += 100 }
    }

    /// What a replay reports of the right reducer and of the faulty one.
    private func run(_ replay: Replay) -> (right: String, faulty: String) {
        (
            failure { replay.verify(Cart.self, CartAction.self, reducer: reduce) },
            failure { replay.verify(Cart.self, CartAction.self, reducer: faulty) }
        )
    }

    @Test("A replay that would skip an action fails, and names the events, the places and both ways out")
    func lacking() {
        for text in [run(Replay(tape)).right, run(Replay(tape)).faulty] {
            #expect(text.contains("The tape lacks secrets of 2 actions"), "\(text)")
            #expect(text.contains("event 1, “signIn”: /payload/token\n  event 3, “signIn”: /payload/token"), "\(text)")
            #expect(text.contains(#".secret("/payload/token", …)"#) && text.contains(".skippingSecrets()"), "\(text)")
        }
        // A range without such an action needs no secret.
        #expect(run(Replay(tape).events(2...2)).right == "")
    }

    @Test(
        "A supplied secret replays the action, so that a fault is found",
        arguments: ["/payload/token", "/**/token", "/payload/*"])
    func supplied(pattern: String) {
        let (right, faulty) = run(Replay(tape).secret(pattern, "mine"))
        #expect(right == "", "\(right)")
        #expect(faulty.contains("first difference after event 1, “signIn”") && faulty.contains("/total"), "\(faulty)")
    }

    @Test("The reducer gets the value that was supplied last for the place, in actions and in the state")
    func values() {
        var tokens: [String] = []
        let text = failure {
            Replay(tape).secret("/**/token", "other").secret("/payload/token", "action").secret("/token", "state")
                .verify(Cart.self, CartAction.self) { cart, action in
                    tokens.append(cart.token)
                    reduce(&cart, action)
                }
        }
        #expect(text == "" && tokens == ["state", "action", "action"])
    }

    private func line(_ seq: Int) -> EventLine {
        EventLine(seq: seq, at: 0, kind: .action, members: [("action", ["type": "a"]), ("patch", [])])
    }

    @Test("Secrets elsewhere and values that don't fit are no way out")
    func useless() {
        let elsewhere = run(Replay(tape).secret("/payload/password", "x")).right
        #expect(elsewhere.contains("event 1, “signIn”: /payload/token"), "\(elsewhere)")
        #expect(
            elsewhere.contains(#"The tape has no secret at the place of .secret("/payload/password", …)"#),
            "\(elsewhere)")
        // Each place has its own advice, once.
        let several = SuppliedSecrets().report([
            .init(line: line(1), places: [Pointer(["payload", "a"]), Pointer(["payload"])]),
            .init(line: line(2), places: [Pointer(["payload", "a"])]),
        ])
        #expect(several.contains(#"Supply the values: .secret("/payload/a", …).secret("/payload", …)"#), "\(several)")
        // One that the state has asked for isn't named.
        let state = run(Replay(tape).secret("/token", "x")).right
        #expect(state.contains("/payload/token") && !state.contains("The tape has no secret at"), "\(state)")
        let number = run(Replay(tape).secret("/payload/token", 5)).right
        #expect(
            number.contains("The value of .secret(…) for /payload/token does not fit event 1, “signIn”"), "\(number)")
        #expect(!number.contains("types have changed"), "\(number)")
        let pattern = run(Replay(tape).secret("token", "x")).right
        #expect(pattern.contains("The secret at “token” can't be supplied"), "\(pattern)")
        struct Odd: Encodable { func encode(to encoder: any Encoder) throws { throw CancellationError() } }
        let odd = run(Replay(tape).secret("/token", Odd())).right
        #expect(odd.contains("The secret at “/token” can't be supplied: the value can't be encoded"), "\(odd)")
    }

    @Test("Skipping is allowed by name: the recorded state counts, and a secret is equal to anything")
    func skipping() {
        var seen: [CartAction] = []
        let text = failure {
            Replay(tape).skippingSecrets().verify(Cart.self, CartAction.self, initial: Cart(token: "mine")) {
                cart, action in
                seen.append(action)
                #expect(cart.token == "mine")
                reduce(&cart, action)
            }
        }
        #expect(text == "" && seen == [.add(name: "tea", price: 1)])
        #expect(run(Replay(tape).skippingSecrets()).faulty == "")
        // What is supplied is replayed.
        #expect(run(Replay(tape).secret("/payload/token", "x").skippingSecrets()).faulty.contains("after event 1"))
    }

    @Test("A skipped action without a state after it fails with the way out")
    func skippedWithoutState() {
        let tape = Recorder(.init(file: scene.path("bare.tape")))
        let track = tape.track(Cart(), CartAction.self, capture: .actionsOnly)
        var state = track.start
        track.record(.signIn(token: "t"), &state) { reduce(&$0, .signIn(token: "t")) }
        tape.finish()
        withExtendedLifetime(track) {}
        let text = run(Replay(scene.path("bare.tape")).skippingSecrets()).right
        #expect(
            text.contains(#"Event 1 can't be skipped"#) && text.contains(#".secret("/payload/token", …)"#), "\(text)")
    }

    private struct SignIn: Codable { var user: String; var password: String }
    private struct Step: Codable { var by: Int }
    private struct Account: Codable { var user = ""; var count = 0; var pins: [Int] = [] }

    private func apply(_ action: Any, to account: inout Account, fault: Int = 0) {
        switch action {
        case let action as SignIn:
            account.user = action.user
            account.count += action.password.count * 0 + fault
        case let action as Step: account.count += action.by
        default: break
        }
    }

    /// Records actions behind a protocol.
    private func recordAccount() -> String {
        let tape = Recorder(.init(file: scene.path("account.tape")))
        let track = tape.track(Account(), Any.self, decoding: [SignIn.self, Step.self])
        var state = track.start
        for action: Any in [Step(by: 2), SignIn(user: "ana", password: "x"), Step(by: 3)] {
            track.record(action, &state) { apply(action, to: &$0) }
        }
        tape.finish()
        withExtendedLifetime(track) {}
        return scene.path("account.tape")
    }

    @Test("Actions behind a protocol are replayed through a store of the app's own", arguments: [0, 1])
    func ownStore(fault: Int) async {
        var account = Account()
        let text = await failure {
            await Replay(recordAccount()).secret("/payload/password", "x").verify(
                Account.self, Any.self, decoding: [SignIn.self, Step.self], start: { account = $0 },
                apply: { action in
                    apply(action, to: &account, fault: fault)
                    return account
                })
        }
        if fault == 0 {
            #expect(text == "" && account.count == 5 && account.user == "ana", "\(text)")
        } else {
            #expect(text.contains("first difference after event 2, “SignIn”"), "\(text)")
        }
    }

    @Test("The secret places of a value are listed in the order of its text")
    func places() throws {
        let secret = #"{"$redacted":true}"#
        let others = #""$$redacted":true,"d":{"$redacted":1},"e":{"$redacted":"a?t=$redacted"}"#
        let json = try JSON(parsing: #"{"a":\#(secret),"b":[1,{"c":\#(secret)}],\#(others)}"#)
        #expect(json.secretPlaces().map(\.description) == ["/a", "/b/1/c", "/e"])
        #expect(try JSON(parsing: secret).secretPlaces().map(\.description) == [""])
    }
}
