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
            ("self.state.reduce(action)", "$0.reduce(action)"),
            ("state.apply(action: action)", "$0.apply(action: action)"),
            ("self.state = next(state: self.state, action: action)", "$0 = next(state: $0, action: action)"),
        ])
    func classes(_ body: String, _ reduction: String) throws {
        let source = InitScene.model.replacingOccurrences(of: "reduce(&state, action)", with: body)
        let (lines, result) = try scene.changes(source)
        #expect(result.status == 0, "\(result)")
        #expect(
            lines == [
                "+import StateTape", "+    private let track = Recorder().track(AppState(), AppAction.self)", "+",
                "+    init() {", "+        state = track.start",
            ] + Self.connect + [
                "+    }",
                "-        \(body)", "+        track.record(action, &state) { \(reduction) }",
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

    @Test("Of a method that does more, only the switch that changes the state is recorded")
    func more() throws {
        let body =
            "guard isOn else { return }\n        switch action {\n        case .add: self.state.count += 1\n        }\n        print(state.count)"
        let (lines, result) = try scene.changes(
            InitScene.model.replacingOccurrences(of: "reduce(&state, action)", with: body))
        #expect(
            result.status == 0 && result.output.contains("`send` does more than reduce the state."), "\(result)")
        #expect(
            lines.suffix(6) == [
                "-        switch action {", "-        case .add: self.state.count += 1",
                "+        track.record(action, &state) { state in", "+            switch action {",
                "+            case .add: state.count += 1", "+            }",
            ], "\(lines.joined(separator: "\n"))")
    }
}
