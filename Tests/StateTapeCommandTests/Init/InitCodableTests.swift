import Foundation
import Testing

@testable import StateTapeCommand

@Suite("init, types that aren't Codable", .timeLimit(.minutes(1)))
struct InitCodableTests {
    private let scene: InitScene

    init() throws {
        scene = try InitScene()
    }

    private static let made = "so that the page can apply states and dispatch actions."

    @Test(
        "What the compiler can encode and decode by itself becomes Codable, with the types inside",
        arguments: [
            ("struct AppState: Codable { var count = 0 }", [], ""),
            ("struct AppState { var count = 0 }", ["struct AppState: Codable { var count = 0 }"], "`AppState` becomes"),
            (
                "struct AppState {\n var title = \"\"\n var count = 0\n let id: String\n}",
                ["struct AppState: Codable {\n var title"], "`AppState` becomes"
            ),
            (
                "struct AppState: Equatable, Sendable { var count = 0 }",
                ["struct AppState: Equatable, Sendable, Codable { var count = 0 }"], "`AppState` becomes"
            ),
            (
                "struct AppState: Encodable { var count = 0 }",
                ["struct AppState: Encodable, Decodable { var count = 0 }"], "`AppState` becomes"
            ),
            ("struct AppState: Stored { var count = 0 }\nprotocol Stored: Codable {}", [], ""),
            ("struct AppState: Encodable, Decodable { var count = 0 }", [], ""),
            (
                "struct AppState { var all: [String: [Item]?] = [:]; private(set) var count: Int { didSet {} }\n"
                    + " var first: Item? { nil }\n static let none = make()\n var place = Place(), date = Date() }\n"
                    + "struct Item: Equatable { let id: UUID; var kind = Kind() }\nstruct Kind { var name = \"a\" }",
                nil, "AppState"
            ),
            (
                "struct AppState { var all: [String: [Item]?] = [:]; private(set) var count: Int { didSet {} }\n"
                    + " var first: Item? { nil }\n static let none = make() }\n"
                    + "struct Item: Equatable { let id: UUID; var kind = Kind() }\nenum Kind: Int { case one = 1 }",
                [
                    "struct AppState: Codable { var all", "struct Item: Equatable, Codable { let id",
                    "enum Kind: Int, Codable { case",
                ], "`AppState`, `Item` and `Kind` become"
            ),
            (
                "struct AppState { var page: Page }\nindirect enum Page { case none, one(Int, Page?), `default`(in: Set<Int> = [])\n"
                    + " case last\n}",
                ["struct AppState: Codable { var page", "indirect enum Page: Codable { case none"],
                "`AppState` and `Page` become"
            ),
            ("@MainActor struct AppState { var count = 0 }", nil, "AppState"),
            ("struct AppState { let count = 0 }", nil, "AppState"),
            ("struct AppState { var view: () -> Void }", nil, "AppState"),
            ("struct AppState { var key: any Hashable }", nil, "AppState"),
            ("struct AppState { var box: Box<Int> }\nstruct Box<T> { var value: T }", nil, "AppState"),
            ("struct AppState { var file: FileHandle? }", nil, "AppState"),
            ("struct AppState { @Kept var count: Int }", nil, "AppState"),
            ("struct AppState { var object: Thing }\nclass Thing {}", nil, "AppState"),
            ("struct AppState { var a, b: Int }", nil, "AppState"),
            ("struct AppState { var page: Page }\nenum Page { case at((Int, Int)) }", nil, "AppState"),
            ("struct AppState { var page: Page }\nenum Page { case at(Int), at(String) }", nil, "AppState"),
            ("struct AppState { var date: Date }\nstruct Date { var now: () -> Int }", nil, "AppState"),
        ] as [(String, [String]?, String)])
    func types(_ types: String, _ edited: [String]?, _ note: String) throws {
        let source = InitScene.model.replacing("struct AppState: Codable { var count = 0 }", with: types)
        try scene.folder.write("Sources/App/App.swift", Data(source.utf8))
        let result = try scene.run("--yes")
        let text = try scene.folder.text("Sources/App/App.swift")
        #expect(result.status == 0, "\(result)")
        guard let edited else {
            // Nothing inside of it is changed, either.
            #expect(text.contains(types), "\(text)")
            let open = "The package doesn't compile until `\(note)` is Codable, and the types inside."
            #expect(result.output.contains(open) && result.output.contains("`track(reflecting:)`"), "\(result)")
            return
        }
        #expect(edited.allSatisfy(text.contains), "\(text)")
        #expect(result.output.contains("Codable, \(Self.made)") == !edited.isEmpty, "\(result)")
        #expect(note.isEmpty || result.output.contains(note), "\(result)")
        #expect(!result.output.contains("doesn't compile"), "\(result)")
    }

    @Test(
        "The member that stands in the way is named, with its type",
        arguments: [
            ("struct AppState { var view: () -> Void }", "`AppState.view` (`var view: () -> Void`)"),
            ("struct AppState { @Kept var count: Int }", "`AppState.count` (`@Kept var count: Int`)"),
            ("struct AppState { var place = make() }", "`AppState.place` (`var place = make()`)"),
            (
                "struct AppState { var all: [Item] }\nstruct Item { var file: FileHandle? }",
                "`Item.file` (`var file: FileHandle?`)"
            ),
            ("struct AppState { var object: Thing }\nclass Thing {}", "`AppState.object` (`var object: Thing`)"),
            (
                "struct AppState { var page: Page }\nenum Page { case none, at((Int, Int)) }",
                "`Page.at` (`case at((Int, Int))`)"
            ),
            (
                "struct AppState { var one: Song.ID }\nstruct Song { var id: Int }",
                "`AppState.one` (`var one: Song.ID`)"
            ),
            (
                "struct AppState { var one: Song.ID }\nclass Song: Identifiable {}",
                "`AppState.one` (`var one: Song.ID`)"
            ),
        ])
    func obstacle(_ types: String, _ obstacle: String) throws {
        let source = InitScene.model.replacing("struct AppState: Codable { var count = 0 }", with: types)
        try scene.folder.write("Sources/App/App.swift", Data(source.utf8))
        let result = try scene.run("--dry-run")
        #expect(
            result.output.contains(" and the types inside. What stands in the way: \(obstacle). To only"), "\(result)")
    }

    @Test(
        "`Song.ID` is the type of the song's `id`",
        arguments: [
            "struct Song: Identifiable, Codable { let id: UUID }", "struct Song: Identifiable, Codable { var id = 5 }",
            "struct Song: Codable {\n typealias ID = String\n var name = \"\" }",
            "struct Song: Codable { let id: Int }\nextension Song: Identifiable {}",
        ])
    func identifier(_ song: String) throws {
        let types = "struct AppState { var now: Song.ID?; var all: [Song.ID: Song] = [:] }\n\(song)"
        let source = InitScene.model.replacing("struct AppState: Codable { var count = 0 }", with: types)
        try scene.folder.write("Sources/App/App.swift", Data(source.utf8))
        let result = try scene.run("--dry-run")
        #expect(result.output.contains("`AppState` becomes Codable") && !result.output.contains("compile"), "\(result)")
    }

    @Test("Actions, and types in another file, which imports nothing more; --undo restores them")
    func otherFile() throws {
        let model = InitScene.model.replacing(InitScene.types, with: "")
        let types = InitScene.types.replacing(": Codable", with: "")
        try scene.folder.write("Sources/App/App.swift", Data(model.utf8))
        try scene.folder.write("Sources/App/Types.swift", Data(types.utf8))
        let result = try scene.run("--yes")
        #expect(result.output.contains("`AppState` and `AppAction` become Codable"), "\(result)")
        #expect(try scene.folder.text("Sources/App/Types.swift") == InitScene.types)
        #expect(try scene.run("--undo").status == 0)
        #expect(try scene.folder.text("Sources/App/Types.swift") == types)
    }

    @Test("Of stores that a call makes, too")
    func calls() throws {
        let store = "import StateTapeStore\n\(InitScene.types)let store = Store(initial: AppState(), reducer: reduce)\n"
        try scene.folder.write("Sources/App/main.swift", Data(store.replacing(": Codable", with: "").utf8))
        #expect(try scene.run("--yes").status == 0)
        let edited = try scene.folder.text("Sources/App/main.swift")
        #expect(edited.contains("AppState: Codable {") && edited.contains("AppAction: Codable {"), "\(edited)")
    }
}
