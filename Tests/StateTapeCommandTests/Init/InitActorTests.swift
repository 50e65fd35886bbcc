import Foundation
import Testing

@testable import StateTapeCommand

@Suite("init, actors", .timeLimit(.minutes(1)))
struct InitActorTests {
    private let scene: InitScene

    init() throws {
        scene = try InitScene()
    }

    @Test("An actor becomes a TapedActor, whose state the recorder can set")
    func actors() throws {
        let (lines, result) = try scene.changes(
            InitScene.model.replacing("@Observable final class Model", with: "actor Model: Sendable")
                .replacing("var state", with: "private(set) var state"))
        #expect(
            lines == [
                "+import StateTape", "-actor Model: Sendable {", "-    private(set) var state = AppState()",
                "-    func send(_ action: AppAction) {", "-        reduce(&state, action)",
                "+actor Model: Sendable, TapedActor {", "+    var state = AppState()",
                "+    private let track = Recorder().track(AppState(), AppAction.self)", "+", "+    init() {",
                "+        state = track.start", "+        track.attach(self)", "+    }",
                "+    func send(_ action: AppAction, fileID: StaticString = #fileID, line: UInt = #line) {",
                "+        track.dispatch(fileID: fileID, line: line) {",
                "+            track.record(action, &state) { reduce(&$0, action) }", "+        }",
            ], "\(result)")
    }

    @Test(
        "Where its names differ, or its method waits or throws, members lead to them",
        arguments: [
            ("func send(_", "func dispatch(_", "{ dispatch(action, fileID: fileID, line: line) }"),
            ("func send(_", "func send(new", "{ send(new: action, fileID: fileID, line: line) }"),
            ("AppAction) {", "AppAction) async {", "{ Task { await send(action) } }"),
            ("AppAction) {", "AppAction) async throws {", "{ Task { try? await send(action) } }"),
            ("AppAction) {", "AppAction) throws {", "{ try? send(action, fileID: fileID, line: line) }"),
            ("reduce(&state, action)", "reduce(&state, action); print(line)", "{ send(action) }"),
        ])
    func bridges(_ old: String, _ new: String, _ body: String) throws {
        let (lines, result) = try scene.changes(
            InitScene.model.replacing("@Observable final class", with: "actor").replacing(old, with: new))
        #expect(
            lines.contains("+    func send(_ action: AppAction, fileID: StaticString, line: UInt) \(body)"), "\(result)"
        )
    }

    @Test("A state of another name is reached by that of the protocol, behind an initializer of one line, too")
    func names() throws {
        let (lines, result) = try scene.changes(
            InitScene.model.replacing("@Observable final class", with: "actor").replacing("&state", with: "&cart")
                .replacing("var state = AppState()", with: "var cart: AppState\n    init() { cart = AppState() }"))
        #expect(lines.contains("+    var state: AppState { get { cart } set { cart = newValue } }"), "\(result)")
        #expect(lines.contains("+        track = Recorder().track(AppState(), AppAction.self)"))
        #expect(lines.contains("+        cart = track.start") && lines.contains("+        track.attach(self)"))
    }
}
