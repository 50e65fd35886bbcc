import Foundation
import Testing

@testable import StateTapeCommand

@Suite("init, stores of libraries", .timeLimit(.minutes(1)))
struct InitCallTests {
    private let scene: InitScene

    init() throws {
        scene = try InitScene()
    }

    private static let types = """
        import ReSwift

        struct AppState: Codable { var count = 0 }
        func appReducer(action: Action, state: AppState?) -> AppState { state ?? AppState() }

        """

    @Test(
        "The decodable actions that the store's file can name are passed to the recorder",
        arguments: [
            ("struct Add: Action, Codable {}", ", decoding: [Add.self]"),
            ("final class Add: Action, Codable {}", ", decoding: [Add.self]"),
            ("struct Add: Action {}", ""),
            ("private struct Add: Action, Codable {}", ""),
            ("fileprivate struct Add: Action, Codable {}", ""),
            ("enum Cart { struct Add: Action, Codable {} }", ", decoding: [Cart.Add.self]"),
            (
                "enum Cart { enum Items {} }\nextension Cart.Items {\n struct Add: Action, Codable { var a = [1] }\n}",
                ", decoding: [Cart.Items.Add.self]"
            ),
            ("func make() { struct Add: Action, Codable {} }", ""),
        ])
    func actions(_ source: String, _ decoding: String) throws {
        try scene.folder.write("Sources/App/Actions.swift", Data("import ReSwift\n\n\(source)\n".utf8))
        let (lines, result) = try scene.changes(
            Self.types + "\nlet store = Store(reducer: appReducer, state: AppState())\n", file: "main.swift")
        #expect(
            lines.contains("+let track = tape.track(AppState(), (any ReSwift.Action).self\(decoding))"), "\(result)"
        )
    }

    @Test("Actions of another target are passed if they are public, and its module is imported")
    func targets() throws {
        let targets = "targets: [.target(name: \"Other\"), "
        try scene.folder.write(
            "Package.swift", Data(InitScene.manifest.replacing("targets: [", with: targets).utf8))
        try scene.folder.write(
            "Sources/Other/Actions.swift",
            Data("import ReSwift\npublic struct Add: Action, Codable {}\nstruct Own: Action, Codable {}\n".utf8))
        for (start, decoding) in [("", ""), ("import Other\n", ", decoding: [Add.self]")] {
            let (lines, result) = try scene.changes(
                start + Self.types + "\nlet store = Store(reducer: appReducer, state: AppState())\n",
                file: "main.swift")
            #expect(
                lines.contains("+let track = tape.track(AppState(), (any ReSwift.Action).self\(decoding))"),
                "\(result)")
        }
    }

    @Test(
        "A store of StateTapeStore is recorded by one call after it",
        arguments: [
            (
                "let store = Store(initial: AppState(), reducer: reduce)",
                "let store = Store(initial: AppState(), reducer: reduce)"
            ),
            (
                "final class Model {\n    let store: Store<AppState, Int> = Store(\n        initial: .init(), reducer: { $0.count += $1 }, middleware: [log])\n}",
                "        initial: .init(), reducer: { $0.count += $1 }, middleware: [log])"
            ),
            (
                "let store = Store(initial: AppState(), reducer: reduce) { _, _ in nil }",
                "let store = Store(initial: AppState(), reducer: reduce) { _, _ in nil }"
            ),
        ])
    func own(_ source: String, _ line: String) throws {
        let (lines, result) = try scene.changes(
            "import StateTapeStore\n\nstruct AppState: Codable { var count = 0 }\n\(source)\n")
        #expect(lines.filter { $0.hasPrefix("+") }.suffix(1) == ["+\(line).taped(by: Recorder())"], "\(result)")
    }

    @Test("A call of several lines in a property keeps its shape")
    func shape() throws {
        let (lines, result) = try scene.changes(
            Self.types + "\nlet store = Store(\n    reducer: appReducer,\n    state: AppState())\n")
        let start = try #require(lines.firstIndex(of: "+        reducer: { action, state in"), "\(result)")
        #expect(
            lines[start...].prefix(6) == [
                "+        reducer: { action, state in",
                "+            if let play = action as? PlayedState { return play.state }",
                "+            var next = state ?? track.start",
                "+            track.record(action, &next) { $0 = reduce(action, $0) }", "+            return next",
                "+        },",
            ], "\(lines.joined(separator: "\n"))")
    }
}
