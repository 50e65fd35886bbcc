import Foundation
import StateTape
import Testing

@testable import StateTapeTesting

@Suite("Recording a tape anew")
struct RecordModeTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    /// Adds each item twice, which the tapes don't expect.
    private func double(_ cart: inout Cart, _ action: CartAction) {
        reduce(&cart, action)
        if case .add = action { reduce(&cart, action) }
    }

    private func record(_ replay: Replay) -> String {
        failure { replay.record(.failing).verify(Cart.self, CartAction.self, reducer: double) }
    }

    /// Replaces the end of a tape by other events.
    ///
    /// - Parameter events: The members after `seq` and `at`.
    private func append(_ events: [String], to tape: String) throws -> String {
        var lines = try String(contentsOfFile: tape, encoding: .utf8).split(separator: "\n").map(String.init)
        lines.removeLast()
        for event in events { lines.append(#"{"seq":\#(lines.count - 1),"at":9,\#(event)}"#) }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: tape))
        return tape
    }

    @Test("The tape gets the states of this run, and the next run passes")
    func states() throws {
        let tape = scene.record([.add(name: "soap", price: 2), .clear, .add(name: "tea", price: 4.5)])
        #expect(record(Replay(tape)).contains("recorded anew from event 1 on"))
        #expect(record(Replay(tape)) == "")
    }

    @Test("A full state that no patch leads to stays full: after a gap, and of a store that begins again")
    func fullStates() throws {
        let state = #""state":{"items":[],"total":7,"tags":[],"token":{"$redacted":true}}"#
        let add = #""event":"action","action":{"type":"add","payload":{"name":"tea","price":1}},"patch":"#
        let patch =
            #"[{"op":"add","path":"/items/0","value":{"name":"tea","price":1}},{"op":"replace","path":"/total","value":8}]"#
        for (number, events) in [
            [#""event":"detach""#, #""event":"init",\#(state)"#, add + patch],
            [
                #""event":"gap","count":1,"reason":"spool-full""#,
                #""event":"replace","cause":{"control":"recording"},\#(state)"#,
                add + patch,
            ],
        ].enumerated() {
            let tape = try append(events, to: scene.record([.add(name: "soap", price: 2)], as: "\(number).tape"))
            #expect(failure { Replay(tape).verify(Cart.self, CartAction.self, reducer: reduce) } == "")
            #expect(record(Replay(tape)).contains("recorded anew from event 1 on"))
            var seen = 0
            let again = failure {
                Replay(tape).verify(Cart.self, CartAction.self) { cart, action in
                    seen += 1
                    double(&cart, action)
                }
            }
            #expect(again == "" && seen == 2, "\(again)")
        }
    }

    @Test("The events after a range keep their states")
    func range() throws {
        let tape = scene.record([
            .add(name: "soap", price: 2), .add(name: "tea", price: 4.5), .add(name: "milk", price: 1),
            .add(name: "bread", price: 3),
        ])
        #expect(record(Replay(tape).events(2...2)).contains("recorded anew from event 2 on"))
        #expect(
            failure { Replay(tape).events(4...).verify(Cart.self, CartAction.self, reducer: reduce) } == "")
        #expect(record(Replay(tape).events(2...2)) == "")
    }

    @Test("Values stay that the recorder's redaction left on the tape")
    func redaction() throws {
        let tape = Recorder(.init(file: scene.path("open.tape"), redaction: .none))
        let track = tape.track(Cart(token: "t0"), CartAction.self)
        var state = track.start
        track.record(.add(name: "tea", price: 1), &state) { reduce(&$0, .add(name: "tea", price: 1)) }
        tape.finish()
        withExtendedLifetime(track) {}
        let replay = Replay(scene.path("open.tape"))
        // Its patch would be the recorded one if secrets were left out.
        let changed = failure {
            replay.verify(Cart.self, CartAction.self) { cart, action in
                reduce(&cart, action)
                cart.token = "changed"
            }
        }
        #expect(changed.contains(#"/token: recorded "t0", now "changed""#), "\(changed)")
        #expect(record(replay.redaction(.none)).contains("recorded anew"))
        let text = try String(contentsOfFile: scene.path("open.tape"), encoding: .utf8)
        #expect(text.contains("t0") && !text.contains("$redacted"))
    }

    @Test("The build's copy of a tape isn't written")
    func copy() throws {
        let tape = scene.record([.add(name: "soap", price: 2)])
        let before = try Data(contentsOf: URL(fileURLWithPath: tape))
        let bundle = try #require(Bundle(url: scene.folder))
        let text = record(Replay("cart.tape", in: bundle))
        #expect(text.contains("not recorded anew: ") && text.contains("the build's copy"), "\(text)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: tape)) == before)
    }
}
