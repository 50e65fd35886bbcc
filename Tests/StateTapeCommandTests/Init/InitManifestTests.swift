import Foundation
import Testing

@testable import StateTapeCommand

@Suite("init, the manifest", .timeLimit(.minutes(1)))
struct InitManifestTests {
    private let scene: InitScene

    init() throws {
        scene = try InitScene()
    }

    @Test(
        "A target is found in each folder in which SwiftPM looks for it",
        arguments: ["Sources/App", "Source/App", "src/App", "srcs/App", "Sources", "src"])
    func folders(_ target: String) throws {
        try scene.folder.write("\(target)/App.swift", Data(InitScene.model.utf8))
        let result = try scene.run("--dry-run")
        #expect(result.status == 0 && result.output.contains(" in \(target)/App.swift, line 6 "), "\(result)")
    }

    @Test(
        "The manifest's lists are found however they are written",
        arguments: [
            (
                ".target(name: \"App\")",
                ".target(name: \"App\", dependencies: [.product(name: \"StateTape\", package: \"StateTape\")])"
            ),
            (
                ".target(name: \"App\", path: \"Sources/App\")",
                ".target(name: \"App\", dependencies: [.product(name: \"StateTape\", package: \"StateTape\")], path: \"Sources/App\")"
            ),
            (
                ".target(name: \"App\", dependencies: [\"Other\"])",
                ".target(name: \"App\", dependencies: [\"Other\", .product(name: \"StateTape\", package: \"StateTape\")])"
            ),
            (
                ".target(\n            name: \"App\",\n            dependencies: [\n                \"Other\",  // \"StateTape\"\n            ]\n        )",
                ".target(\n            name: \"App\",\n            dependencies: [\n                \"Other\",\n                .product(name: \"StateTape\", package: \"StateTape\"),  // \"StateTape\"\n            ]\n        )"
            ),
        ])
    func manifests(_ target: String, _ edited: String) throws {
        for (dependencies, more) in [
            ("", "dependencies: [P], "), ("dependencies: [], ", "dependencies: [P], "),
            (
                "dependencies: [.package(url: \"https://example.com/a\", from: \"1.0.0\")], ",
                "dependencies: [.package(url: \"https://example.com/a\", from: \"1.0.0\"), P], "
            ),
        ] {
            func manifest(_ dependencies: String, _ target: String) -> String {
                "// swift-tools-version: 6.1\nlet package = Package(name: \"App\", \(dependencies)targets: [\(target)])\n"
            }
            try scene.folder.write("Package.swift", Data(manifest(dependencies, target).utf8))
            try scene.folder.write("Sources/App/App.swift", Data(InitScene.model.utf8))
            let result = try scene.run("--yes", "--package", "https://example.com/statetape.git")
            #expect(result.status == 0, "\(result)")
            let package = ".package(url: \"https://example.com/statetape.git\", from: \"0.1.0\", traits: [])"
            #expect(
                try scene.folder.text("Package.swift")
                    == manifest(more.replacingOccurrences(of: "P", with: package), edited))
            #expect(try scene.run("--undo").status == 0)
            #expect(try scene.folder.text("Package.swift") == manifest(dependencies, target))
        }
    }

    @Test("Before tools version 6.1, a dependency names no traits")
    func tools() throws {
        try scene.folder.write(
            "Package.swift", Data(InitScene.manifest.replacingOccurrences(of: "6.1", with: "5.9").utf8))
        try scene.folder.write("Sources/App/App.swift", Data(InitScene.model.utf8))
        let result = try scene.run("--dry-run")
        #expect(
            result.status == 0 && !result.output.contains(", traits")
                && result.output.contains(
                    "\nBefore swift-tools-version 6.1, a dependency can't leave StateTape's server out:")
                && result.output.contains("raise the first line of Package.swift to 6.1, and run init again.")
                && result.output.contains("name: \"StateTape\", path:"))
    }

    @Test("A manifest that it can't read is named, with the lines")
    func oddManifest() throws {
        try scene.folder.write("Package.swift", Data("let package = Package(name: \"App\", targets: all)\n".utf8))
        let result = try scene.run("--yes")
        #expect(result.status == 1 && result.errors.contains("no literal list of targets"), "\(result)")
        #expect(result.output.contains("track.record(action, &state)"))
    }
}
