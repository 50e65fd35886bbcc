import Foundation
import StateTape
import Testing

@testable import StateTapeTesting

@Suite("Tapes that can't be replayed")
struct BadTapeTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    private func run(_ name: String) -> String {
        failure { Replay(name).verify(Cart.self, CartAction.self, reducer: reduce) }
    }

    private func file(_ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: scene.path("bad.tape")))
        return scene.path("bad.tape")
    }

    @Test("A missing file: the error lists where it was searched")
    func missing() {
        let text = run("nowhere.tape")
        #expect(text.contains("There is no tape nowhere.tape"))
        #expect(text.contains("Tests/StateTapeTestingTests/Tapes/nowhere.tape"))
    }

    @Test("An empty file, a foreign one and a picture are no tapes", arguments: ["", "a diary\n", "\u{89}PNG\r\n"])
    func foreign(contents: String) throws {
        let text = try run(file(contents))
        #expect(text.contains("bad.tape"))
        #expect(text.contains("neither a tape") || text.contains("no header"))
    }

    @Test("A truncated tape: the error names the line")
    func truncated() throws {
        let tape = try String(contentsOfFile: scene.record([.clear, .clear]), encoding: .utf8)
        #expect(try run(file(String(tape.dropLast(10)))).contains("is cut off in line"))
    }

    @Test("Two tapes in one file: the error names the line")
    func two() throws {
        let tape = try String(contentsOfFile: scene.record([.clear]), encoding: .utf8)
        let lines = tape.split(separator: "\n").count
        #expect(try run(file(tape + tape)).contains("line \(lines + 1)"))
    }

    @Test("A tape without actions, or without states, compares nothing and fails")
    func empty() throws {
        #expect(run(scene.record([])).contains("Store “main” has no action to replay after event 0"))
        let tape = Recorder(.init(file: scene.path("actions.tape")))
        let track = tape.track(Cart(), CartAction.self, capture: .actionsOnly)
        var state = track.start
        track.record(.clear, &state) { reduce(&$0, .clear) }
        tape.finish()
        #expect(run(scene.path("actions.tape")).contains("No event after 0 has a state to compare"))
        withExtendedLifetime(track) {}
        // The state that was set counts as recorded, and is compared with nothing.
        let other = Recorder(.init(file: scene.path("set.tape")))
        let set = other.track(Cart(), CartAction.self, capture: .actionsOnly)
        set.record(.clear, &state) { reduce(&$0, .clear) }
        set.set(&state) { $0.total = 50 }
        other.finish()
        #expect(run(scene.path("set.tape")).contains("No event after 0 has a state to compare"))
        withExtendedLifetime(set) {}
    }

    @Test("A tape with a patch that doesn't apply: the error names the event")
    func broken() throws {
        let tape = try String(contentsOfFile: scene.record([.add(name: "soap", price: 2)]), encoding: .utf8)
        let text = try run(file(tape.replacingOccurrences(of: "/items/0", with: "/items/7")))
        #expect(text.contains("the state after event 1 can't be computed"))
    }

    @Test("A tape without a state has nothing to start from")
    func stateless() throws {
        let tape = try String(contentsOfFile: scene.record([.clear]), encoding: .utf8)
        let header = try #require(tape.split(separator: "\n").first)
        #expect(try run(file(header + "\n")).contains("no state to start from"))
    }
}
