import Foundation

@testable import StateTapeCommand

/// A package in a temporary folder, for `statetape init`.
struct InitScene {
    let folder: TestFolder

    static let manifest = """
        // swift-tools-version: 6.1
        import PackageDescription

        let package = Package(name: "App", targets: [.executableTarget(name: "App", dependencies: [])])

        """
    static let types = """
        struct AppState: Codable { var count = 0 }
        enum AppAction: Codable { case add }
        func reduce(_ state: inout AppState, _ action: AppAction) { state.count += 1 }

        """
    static let model = """
        import Foundation
        \(types)
        @Observable final class Model {
            var state = AppState()
            func send(_ action: AppAction) {
                reduce(&state, action)
            }
        }

        """

    init() throws {
        folder = try TestFolder()
        try folder.write("Package.swift", Data(Self.manifest.utf8))
    }

    func run(_ options: String..., input: Data? = nil) throws -> CommandProcess.Result {
        try CommandProcess.run(["init", folder.url.path] + options, input: input)
    }

    /// The lines that the edit of a source would add and remove.
    func changes(_ source: String, file: String = "App.swift") throws -> (
        lines: [String], result: CommandProcess.Result
    ) {
        try folder.write("Sources/App/\(file)", Data(source.utf8))
        let result = try run("--dry-run")
        let shown = result.output.split(separator: "\n").drop { $0 != "+++ Sources/App/\(file)" }.dropFirst()
        return (shown.filter { $0.hasPrefix("+") || $0.hasPrefix("-") }.map(String.init), result)
    }
}
