import Foundation
import Testing

@testable import StateTapeCommand

@Suite("init, a state in several properties", .timeLimit(.minutes(1)))
struct InitPropertyTests {
    private let scene: InitScene

    init() throws {
        scene = try InitScene()
    }

    private static let send = """
            func send(_ action: AppAction) {
                switch action {
                case .add: items.append(query)
                case .clear: self.items = []; query = ""
                }
            }
        }

        """

    @Test(
        "It says why it can't, and how the properties become one struct",
        arguments: [
            (
                "@Observable final class Model {\n    private(set) var items: [String] = []\n    var query = \"\"\n    let limit = 3\n",
                "properties `items` and `query`: move them",
                [
                    "struct ModelState: Codable { var items: [String] = []; var query = \"\" }  // outside of `Model`",
                    "var state = ModelState()  // in `Model`, in place of `items` and `query`",
                    "case .add: state.items.append(state.query)  // with `state.` before each of these names",
                ]
            ),
            (
                "actor Model {\n    var items: [String]\n    let query: String\n    init() { items = [] }\n",
                "property `items`: move it",
                [
                    "struct ModelState: Codable { var items: [String] }  // outside of `Model`",
                    "var state: ModelState  // in `Model`, in place of `items`",
                    "case .add: state.items.append(query)  // with `state.` before its name",
                ]
            ),
            (
                "final class Model: ObservableObject {\n    @Published var items: [String] = []\n    @Published var query: String = \"\"\n",
                "properties `items` and `query`",
                ["@Published var state = ModelState()  // in `Model`, in place of `items` and `query`"]
            ),
        ])
    func properties(_ start: String, _ reason: String, _ lines: [String]) throws {
        let source = "enum AppAction { case add, clear }\n\(start)\(Self.send)"
        try scene.folder.write("Sources/App/App.swift", Data(source.utf8))
        let result = try scene.run("--yes")
        #expect(result.status == 1 && result.errors.contains("`send` changes the \(reason)"), "\(result)")
        for line in lines { #expect(result.output.contains("\n  \(line)\n"), "\(line) in \(result)") }
        #expect(try scene.folder.text("Sources/App/App.swift") == source)
    }

    @Test("Beside a store, a class whose properties change is no candidate; nor is one without actions")
    func others() throws {
        let other =
            "final class Screen {\n    var isOn = false\n    func set(_ value: Mode) {\n switch value {\n case .on: isOn = true\n } } }\n"
        try scene.folder.write("Sources/App/Other.swift", Data(other.utf8))
        #expect(try scene.run("--dry-run").errors.contains("No store was found"))
        try scene.folder.write(
            "Sources/App/Another.swift", Data(other.replacing("Mode", with: "AppAction").utf8))
        #expect(try scene.run("--dry-run").errors.contains("`set` changes the property `isOn`"))
        let (_, result) = try scene.changes(InitScene.model)
        #expect(result.status == 0 && result.output.contains("Found Model in "), "\(result)")
    }
}
