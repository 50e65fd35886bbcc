import Foundation
import Testing

@testable import StateTapeCommand

@Suite("init, classes", .timeLimit(.minutes(1)))
struct InitClassTests {
    private let scene: InitScene

    init() throws {
        scene = try InitScene()
    }

    private static let connect = [
        "+        track.connect(", "+            state: { [weak self] in self?.state },",
        "+            dispatch: { [weak self] in self?.send($0) },",
        "+            play: { [weak self] in self?.state = $0 })",
    ]

    @Test(
        "A class that reduces is connected, however it does so",
        arguments: [
            ("reduce(&state, action)", "reduce(&$0, action)"),
            ("reduce(&self.state, action)", "reduce(&$0, action)"),
            ("Self.reduce(&state, action)", "Self.reduce(&$0, action)"),
            ("reduce(state: &state, with: action)", "reduce(state: &$0, with: action)"),
            ("state = reduce(state, action)", "$0 = reduce($0, action)"),
            ("state = reduce(action: action, state: state)", "$0 = reduce(action: action, state: $0)"),
            ("self.state.reduce(action)", "$0.reduce(action)"),
            ("state.apply(action: action)", "$0.apply(action: action)"),
            ("self.state = next(state: self.state, action: action)", "$0 = next(state: $0, action: action)"),
            ("var next = state; reduce(&next, action); state = next", "reduce(&$0, action)"),
            ("var next: AppState = self.state; next.apply(action); self.state = next", "$0.apply(action)"),
            ("let next = reduce(state, action); state = next", "$0 = reduce($0, action)"),
        ])
    func classes(_ body: String, _ reduction: String) throws {
        let source = InitScene.model.replacingOccurrences(of: "reduce(&state, action)", with: body)
        let (lines, result) = try scene.changes(source)
        #expect(result.status == 0, "\(result)")
        #expect(
            lines == [
                "+import StateTape", "-    func send(_ action: AppAction) {", "-        \(body)",
                "+    private let track = Recorder().track(AppState(), AppAction.self)", "+", "+    init() {",
                "+        state = track.start",
            ] + Self.connect + [
                "+    }", "+    func send(_ action: AppAction, fileID: StaticString = #fileID, line: UInt = #line) {",
                "+        track.dispatch(fileID: fileID, line: line) {",
                "+            track.record(action, &state) { \(reduction) }", "+        }",
            ], "\(lines.joined(separator: "\n"))")
    }

    @Test("The recorder stands behind the observers of the state")
    func observers() throws {
        let property = "var state = AppState() {\n        didSet { print(state) }\n    }"
        let source = InitScene.model.replacingOccurrences(of: "var state = AppState()", with: property)
        try scene.folder.write("Sources/App/App.swift", Data(source.utf8))
        let result = try scene.run("--yes")
        #expect(result.status == 0, "\(result)")
        let edited =
            "    \(property)\n    private let track = Recorder().track(AppState(), AppAction.self)\n\n    init() {\n"
        #expect(try scene.folder.text("Sources/App/App.swift").contains(edited), "\(result)")
    }

    @Test("Of a method that does more, only the switch that changes the state is recorded, inside of its dispatch")
    func more() throws {
        let body =
            "guard isOn else { return }\n        switch action {\n        case .add: self.state.count += 1\n        }\n\n        onChange(state)"
        let result = try edited(
            InitScene.model.replacingOccurrences(of: "reduce(&state, action)", with: body))
        #expect(
            result.file.contains(
                """
                        track.dispatch(fileID: fileID, line: line) {
                            guard isOn else { return }
                            track.record(action, &state) { state in
                                switch action {
                                case .add: state.count += 1
                                }
                            }

                            onChange(state)
                        }
                    }
                }

                """), "\(result)")
        #expect(result.output.contains("`send` does more than reduce the state."))
        // The state that the page applies must reach the views, too.
        #expect(result.output.contains("`play:` only sets `state`. If `send` then tells your views"))
    }

    @Test(
        "A method on whose type others rely, or that uses the words of a call site, keeps its signature, and init says so",
        arguments: [
            ("reduce(&state, action)", "reduce(&state, action); print(line)"),
            ("func send", "override func send"), ("func send", "@objc func send"),
            ("final class Model {", "final class Model: Base {\n    init() {}"),
            ("struct AppState", "protocol Sending { func send(_ action: AppAction) }\nstruct AppState"),
            ("struct AppState", "let sends = [Model().send]\nstruct AppState"),
            ("struct AppState", "let sender: (AppAction) -> Void = model.send\nstruct AppState"),
        ])
    func signature(_ old: String, _ new: String) throws {
        let result = try edited(InitScene.model.replacing(old, with: new))
        #expect(
            result.file.contains("func send(_ action: AppAction) {\n        track.record(action, &state) {"),
            "\(result)")
        #expect(result.output.contains("The tape will not say which line dispatched an action"))
    }

    @Test("A method that names its call site already passes that on, and bodies of one line stay so")
    func named() throws {
        let own = "func send(_ action: AppAction, fileID: StaticString = #fileID, line: UInt = #line)"
        let result = try edited(InitScene.model.replacing("func send(_ action: AppAction)", with: own))
        #expect(result.file.contains("\(own) {\n        track.dispatch(fileID: fileID, line: line) {"), "\(result)")
        #expect(!result.output.contains("The tape will not say"))
        _ = try scene.run("--undo")
        let line = "func send(_ action: AppAction) { reduce(&state, action) }"
        let method = "func send(_ action: AppAction) {\n        reduce(&state, action)\n    }"
        let short = try edited(InitScene.model.replacing(method, with: line))
        #expect(
            short.file.contains(
                "#line) { track.dispatch(fileID: fileID, line: line) { track.record(action, &state) { reduce(&$0, action) } } }"
            ), "\(short)")
    }

    @Test("An initializer stands behind the stored properties, and one of one line gets more")
    func initializers() throws {
        let between = try edited(
            InitScene.model.replacing("var state = AppState()", with: "var state = AppState()\n    var isOn = true\n"))
        #expect(
            between.file.contains("track(AppState(), AppAction.self)\n    var isOn = true\n\n    init() {\n"),
            "\(between)")
        _ = try scene.run("--undo")
        let one =
            "var state = AppState()\n    var log: () -> Void\n    init(log: @escaping () -> Void) { self.log = log }\n"
        let short = try edited(InitScene.model.replacing("var state = AppState()", with: one))
        #expect(
            short.file.contains(
                "init(log: @escaping () -> Void) {\n        self.log = log\n        state = track.start\n        track.connect("
            ),
            "\(short)")
    }

    /// Edits a source.
    private func edited(_ source: String) throws -> (file: String, output: String) {
        try scene.folder.write("Sources/App/App.swift", Data(source.utf8))
        let result = try scene.run("--yes")
        #expect(result.status == 0, "\(result)")
        return (try scene.folder.text("Sources/App/App.swift"), result.output)
    }
}
