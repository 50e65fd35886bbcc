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
            ("state = state.reduced(by: action)", "$0 = $0.reduced(by: action)"),
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

    @Test(
        "Of a copy of the state, all is recorded until the copy becomes the state; so is what asks for the action by `if`",
        arguments: [
            "if case .add = action { state.count += 1 }",
            "guard case .add = action else { return }\n        state.list[0].items.append(1)",
            "var s = state\n        switch action {\n        case .add: s.count += 1\n        }\n        state = s",
            "var s: AppState = self.state\n        reduce(&s, action)\n        guard s.count > 0 else { return }\n        state = s",
            "let new = reduced(state, action)\n        if new.count != state.count {\n            state = new\n        }",
        ])
    func copies(_ body: String) throws {
        let result = try edited(InitScene.model.replacing("reduce(&state, action)", with: body))
        let inner = body.replacing("self.", with: "").replacing("\n", with: "\n        ")
        #expect(
            result.file.contains(
                "            track.record(action, &state) { state in\n                \(inner)\n            }\n        }\n    }\n"
            ),
            "\(result)")
    }

    @Test("What an async method waits for is outside of the recording, which names the call site")
    func waiting() throws {
        let source = InitScene.model.replacing("@Observable", with: "@MainActor @Observable")
            .replacing("AppAction) {", with: "AppAction) async throws {")
            .replacing("reduce(&state, action)", with: "reduce(&state, action)\n        try await save(state)")
        let result = try edited(source)
        #expect(
            result.file.contains(
                """
                    func send(_ action: AppAction, fileID: StaticString = #fileID, line: UInt = #line) async throws {
                        track.record(action, &state, fileID: fileID, line: line) { reduce(&$0, action) }
                        try await save(state)
                """), "\(result)")
        #expect(
            result.file.contains("dispatch: { [weak self] action in Task { try? await self?.send(action) } },"),
            "\(result)")
    }

    @Test("A block that throws by itself is put into a recording that throws")
    func thrownErrors() throws {
        let source = InitScene.model.replacing(
            "AppAction) {\n        reduce(&state, action)",
            with:
                "AppAction) throws {\n        switch action {\n        case .add: throw Full()\n        case .other: state.count += 1\n        }"
        )
        let result = try edited(source)
        #expect(
            result.file.contains(
                "        try track.dispatch(fileID: fileID, line: line) {\n            try track.record(action, &state) { state in\n"
            ),
            "\(result)")
    }

    @Test("An error of a reducer is passed on")
    func errors() throws {
        let source = InitScene.model.replacing(
            "AppAction) {\n        reduce(", with: "AppAction) throws {\n        try reduce(")
        let result = try edited(source)
        #expect(
            result.file.contains(
                "        try track.dispatch(fileID: fileID, line: line) {\n            try track.record(action, &state) { try reduce(&$0, action) }\n"
            ),
            "\(result)")
        #expect(result.file.contains("dispatch: { [weak self] in try? self?.send($0) },"))
    }

    @Test("Actions behind a protocol are decoded by the types that the file can name")
    func protocols() throws {
        let source = InitScene.model
            .replacing(
                "enum AppAction: Codable { case add }",
                with: "protocol AppAction {}\nstruct Add: AppAction, Codable {}\nstruct Go: AppAction {}"
            )
            .replacing("send(_ action: AppAction)", with: "send(_ action: any AppAction)")
        let result = try edited(source)
        #expect(
            result.file.contains("track = Recorder().track(AppState(), (any AppAction).self, decoding: [Add.self])\n"),
            "\(result)")
    }

    @Test(
        "Variables outside of the state are named, as they are not recorded",
        arguments: [
            ("var query = \"\"\n    var isOn = true", "Outside of it, `query` and `isOn` are not recorded"),
            ("private var query = \"\"", "Outside of it, `query` is not recorded"),
            (
                "let limit = 3\n    static var all = 1\n    var half: Int { 1 }\n    lazy var x = 1\n    var task: Task<Void, Never>?",
                nil
            ),
        ])
    func outside(_ properties: String, _ remark: String?) throws {
        let result = try edited(
            InitScene.model.replacing("    var state", with: "    \(properties)\n    var state"))
        #expect(
            (result.output.contains("are not recorded") || result.output.contains("is not recorded")) == (remark != nil)
        )
        #expect(remark.map(result.output.contains) ?? true, "\(result)")
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
        for property in ["var isOn = true", "var onChange: (AppState) -> Void = { _ in }"] {
            let between = try edited(
                InitScene.model.replacing("var state = AppState()", with: "var state = AppState()\n    \(property)\n"))
            #expect(
                between.file.contains("track(AppState(), AppAction.self)\n    \(property)\n\n    init() {\n"),
                "\(between)")
            _ = try scene.run("--undo")
        }
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
