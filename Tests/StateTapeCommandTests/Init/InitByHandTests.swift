import Foundation
import Testing

@testable import StateTapeCommand

@Suite("init, what is edited by hand", .timeLimit(.minutes(1)))
struct InitByHandTests {
    private let scene: InitScene

    init() throws {
        scene = try InitScene()
    }

    @Test(
        "What can't be edited is named with the reason, and the lines to add",
        arguments: [
            (
                "import StateTapeStore\nlet store = Store(initial: AppState(), reducer: reduce)\n  .taped(by: tape)",
                "recorded already"
            ),
            (
                "import ComposableArchitecture\nlet store = Store(initialState: AppState()) { AppFeature() }",
                "`Taped`"
            ),
            ("import ReSwift\nlet store = Store(reducer: appReducer, state: nil)", "isn't clear"),
            (
                "class M { var state = AppState()\n func send(_ action: AppAction) { state = next(action) }\n func next(_ action: AppAction) -> AppState { state }\n}",
                "`send` sets the state to what `next` makes of it: pass it the state, as in `next(state, action)`"
            ),
            (
                "class M { var state = AppState()\n func send(_ action: AppAction) async { reduce(&state, action) }\n}",
                "`send` is `async`, and the class isn't marked `@MainActor`: write that before it"
            ),
            ("import Puredux\nlet store = StateStore(AppState()) { state, action in }", "aren't clear"),
            (
                "class M: Base { var state = AppState()\n func send(_ action: AppAction) { reduce(&state, action) }\n}",
                "may have a superclass"
            ),
            (
                "class M { var state = AppState()\n init() {}\n init(x: Int) {}\n func send(_ action: AppAction) { reduce(&state, action) }\n}",
                "several initializers"
            ),
            (
                "class M { var state = AppState()\n let track = 1\n func send(_ action: AppAction) { reduce(&state, action) }\n}",
                "`track` already"
            ),
            (
                "class M { var state = AppState()\n func more() { state.count += 1 }\n func send(_ action: AppAction) {\n switch action {\n case .add: state.count += 1; more()\n }\n }\n}",
                "`send` calls `more`"
            ),
            (
                "class M { var state = AppState()\n func send(_ action: AppAction) {\n switch action {\n case .add: state.count += 1; Task { await x() }\n }\n }\n}",
                "does more than change its state"
            ),
            (
                "class M { var state = AppState()\n func send(_ action: AppAction) {\n switch action {\n case .add: state.count += 1; return\n }\n log()\n }\n}",
                "`send` does more than change its state"
            ),
            (
                "class M { var state = AppState()\n func send(_ action: AppAction) {\n state.count += 1\n switch action {\n case .add: state.count += 1\n }\n }\n}",
                "`send` does more than change its state"
            ),
            (
                "class M { var state = AppState()\n func send(_ action: AppAction) {\n if isOn { switch action {\n case .add: state.count += 1\n } }\n }\n}",
                "`send` does more than change its state"
            ),
            (
                "class M { var state = AppState(\n count: 1)\n func send(_ action: AppAction) { reduce(&state, action) }\n}",
                "isn't one simple line"
            ),
            (
                "class M { var state: AppState = make { 1 }\n func send(_ action: AppAction) { reduce(&state, action) }\n}",
                "isn't one simple line"
            ),
            (
                "class M { var state = AppState()\n func send(_ action: AppAction) {\n var next = state\n reduce(&next, action)\n state = next\n show(next)\n }\n}",
                "`send` uses its copy `next` after it has set the state: use `state` there."
            ),
            (
                "func next(state: AppState, action: AppAction) -> AppState { state }",
                "next in Sources/App/App.swift, line 1"
            ),
            (
                "typealias Reducer<State> = (_ action: Action, _ state: State?) -> State\nfinal class NotesStore<State> {\n var state: State\n let reducer: Reducer<State>\n init(_ reducer: @escaping Reducer<State>) { state = reducer(Start(), nil) }\n func dispatch(_ action: any Action) { state = reducer(action, state) }\n}",
                "write `NotesStore<State: Codable>`"
            ),
            (
                "final class M<St, Ac> { var state: St\n init(_ state: St) { self.state = state }\n func send(_ action: Ac) { state = reduce(state, action) }\n}",
                "`St` and `Ac` may be a type that isn't Codable: write `M<St: Codable, Ac: Codable>` and try again"
            ),
            (
                "final class M<St: Equatable, Ac>: Plain where Ac: Decodable { var state: St\n init(_ state: St) { self.state = state }\n func send(_ action: Ac) { state = reduce(state, action) }\n}",
                "`St` and `Ac` may be"
            ),
            (
                "func notesReducer(action: any Action, state: NotesState?) -> NotesState { state ?? NotesState() }",
                "“ReSwift” in the recipes, which fits a store of your own"
            ),
            (
                "func next(_ state: inout AppState, _ action: Message) {}\nvar state = AppState()",
                "see “A store of your own”, or, if none keeps it, “A reducer in a loop”"
            ),
        ])
    func byHand(_ source: String, _ reason: String) throws {
        try scene.folder.write("Sources/App/App.swift", Data((source + "\n").utf8))
        let result = try scene.run("--yes")
        #expect(result.status == 1 && result.errors.contains(reason), "\(result)")
        let lines = [
            "traits: [])  // in Package.swift, to the dependencies of the package\n",
            "  .product(name: \"StateTape\", package: \"StateTape\")  // in Package.swift, to the dependencies of the target\n",
            "  import StateTape\n", "/Sources/StateTape/StateTape.docc/Recipes.md.\n",
        ]
        let isRecorded = reason == "recorded already"
        for line in lines { #expect(result.output.contains(line) != isRecorded, "\(line) in \(result)") }
        #expect(try scene.folder.text("Package.swift") == InitScene.manifest && scene.folder.names(".").count == 2)
    }

    @Test(
        "Comments, strings and regular expressions are no stores; where there is none, it says what it looked for",
        arguments: [
            "// class M { var state = AppState(); func send(_ action: AppAction) { reduce(&state, action) } }",
            "/* /* */ class M { var state = AppState(); func send(_ action: AppAction) { reduce(&state, action) } } */",
            "let a = \"\\(\"}\") class M { var state = AppState(); func send(_ action: A) { reduce(&state, action) } }\"",
            "let a = #\"\"\"\nclass M { var state = AppState(); func send(_ action: A) { reduce(&state, action) } }\n\"\"\"#",
            "let a = /\"/\nclass M { var text = \"\" }\nlet b = \"class N { var s = A(); func send(_ a: A) { reduce(&s, a) } }\"",
            "import StateTapeStore\nlet a = \"let store = Store(initial: A(), reducer: r)\" // let store = Store(initial: A(), reducer: r)",
            "let store = Store(initial: AppState(), reducer: reduce)", "class M { var state = AppState() }", "",
            "class M { var state = AppState()\n func rename(_ name: String) { if name != \"\" { state.name = name } } }",
        ])
    func none(_ source: String) throws {
        try scene.folder.write("Sources/App/App.swift", Data((source + "\n").utf8))
        let result = try scene.run("--yes")
        #expect(result.status == 1 && result.errors == "Error: No store was found.\n", "\(result)")
        #expect(result.output.hasPrefix("Looked in 1 Swift file of Sources/App for:\n  `Store(initial:reducer:)`"))
        #expect(result.output.contains("`send(_ action: AppAction)`") && result.output.contains("track.connect("))
    }
}
