import Foundation
import Testing

@testable import StateTapeCommand

@Suite("init, extensions", .timeLimit(.minutes(1)))
struct InitExtensionTests {
    private let scene: InitScene

    init() throws {
        scene = try InitScene()
    }

    private static let model = """
        \(InitScene.types)
        @Observable final class Model {
            var state = AppState()
        }

        """
    private static let send = """
            func send(_ action: AppAction) {
                reduce(&state, action)
            }
        }

        """

    /// Edits two files of a package.
    private func edit(_ model: String, _ other: String, in folder: String = "App") throws -> CommandProcess.Result {
        try scene.folder.write("Sources/App/Model.swift", Data(model.utf8))
        try scene.folder.write("Sources/\(folder)/Model+Send.swift", Data(other.utf8))
        return try scene.run("--yes")
    }

    @Test(
        "A class is connected if the method that reduces is in an extension of its file",
        arguments: [
            "extension Model {", "@MainActor extension Model {", "private extension Model {",
            "extension Model: Sendable {", "extension Model where Self: Sendable {",
        ])
    func sameFile(_ start: String) throws {
        let (lines, result) = try scene.changes("\(Self.model)\(start)\n\(Self.send)")
        #expect(result.status == 0, "\(result)")
        #expect(lines.contains("+    private let track = Recorder().track(AppState(), AppAction.self)"), "\(lines)")
        #expect(lines.contains("+            track.record(action, &state) { reduce(&$0, action) }"), "\(lines)")
    }

    @Test("In another file of the target, the extension is edited, too, and --undo restores both")
    func otherFile() throws {
        let other = "extension Model {\n\(Self.send)"
        let result = try edit(Self.model, other)
        let (manifest, model) = (InitScene.manifest, "Sources/App/Model.swift")
        #expect(
            result.status == 0
                && result.output.contains("Changed Package.swift, \(model) and Sources/App/Model+Send.swift."),
            "\(result)")
        let edited = try scene.folder.text(model)
        #expect(edited.contains("\n    let track = Recorder().track(AppState(), AppAction.self)\n"), "\(edited)")
        #expect(
            edited.contains("import StateTape\n") && edited.contains("dispatch: { [weak self] in self?.send($0) }"))
        #expect(
            try scene.folder.text("Sources/App/Model+Send.swift") == "import StateTape\n\n"
                + other.replacing("AppAction)", with: "AppAction, fileID: StaticString = #fileID, line: UInt = #line)")
                .replacing(
                    "        reduce(&state, action)",
                    with:
                        "        track.dispatch(fileID: fileID, line: line) {\n            track.record(action, &state) { reduce(&$0, action) }\n        }"
                ))
        #expect(try scene.run("--undo").status == 0)
        #expect(try scene.folder.text("Package.swift") == manifest && scene.folder.text(model) == Self.model)
        #expect(try scene.folder.text("Sources/App/Model+Send.swift") == other)
    }

    @Test(
        "What can't be edited in an extension is named with the reason",
        arguments: [
            ("private extension Model {\n\(send)", "`send` is private to Sources/App/Model+Send.swift."),
            (
                "extension Model {\n    private \(send.trimmingPrefix(while: \.isWhitespace))",
                "`send` is private to Sources/App/Model+Send.swift."
            ),
            ("extension Model {\n    var track: Int { 1 }\n\(send)", "`track` already"),
            (
                "extension Model {\n    func more() {}\n    func send(_ action: AppAction) {\n        switch action {\n        case .add: state.count += 1; more()\n        }\n    }\n}\n",
                "`send` calls `more`"
            ),
        ])
    func byHand(_ other: String, _ reason: String) throws {
        let result = try edit(Self.model, other)
        #expect(result.status == 1 && result.errors.contains(reason), "\(result)")
    }

    @Test("An extension of a type of that name in another target, or of another type, is not the class's")
    func otherTypes() throws {
        let targets = "targets: [.target(name: \"Other\"), "
        try scene.folder.write(
            "Package.swift", Data(InitScene.manifest.replacing("targets: [", with: targets).utf8))
        for (other, folder) in [("extension Model {", "Other"), ("extension ModelView {", "App")] {
            let result = try edit(Self.model, "\(other)\n\(Self.send)", in: folder)
            #expect(result.status == 1 && result.errors.contains("reduce in Sources/App/Model.swift"), "\(result)")
            try FileManager.default.removeItem(atPath: scene.folder.path("Sources/\(folder)/Model+Send.swift"))
        }
    }

    @Test(
        "A struct with a method that reduces is named with its recipe, unless there is a store",
        arguments: [
            "struct Model { var state = AppState()\n mutating func send(_ action: AppAction) { reduce(&state, action) } }",
            "struct Model { var state = AppState() }\nextension Model {\n mutating func send(_ action: AppAction) { reduce(&state, action) } }",
        ])
    func structs(_ source: String) throws {
        let (_, result) = try scene.changes(InitScene.types + source + "\n")
        #expect(
            result.status == 1 && result.errors.contains("Model in Sources/App/App.swift, line 4")
                && result.errors.contains("“A reducer in a loop” in the recipes"), "\(result)")
        try scene.folder.write(
            "Sources/App/Store.swift", Data(InitScene.model.replacing("Model", with: "Cart").utf8))
        let found = try scene.run("--dry-run")
        #expect(found.status == 0 && found.output.contains("Found Cart in "), "\(found)")
    }
}
