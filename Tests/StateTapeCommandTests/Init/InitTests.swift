import Foundation
import Testing

@testable import StateTapeCommand

/// `Tests/Browser/test_init.py` compiles what it writes.
@Suite("init", .timeLimit(.minutes(1)))
struct InitTests {
    private let scene: InitScene

    init() throws {
        scene = try InitScene()
    }

    @Test(
        "A package that records already stays as it is",
        arguments: [
            "dependencies: [.product(name: \"StateTape\", package: \"StateTape\")]",
            "dependencies: [\"StateTape\"]",
        ])
    func existing(_ dependencies: String) throws {
        let manifest = InitScene.manifest.replacingOccurrences(of: "dependencies: []", with: dependencies)
        try scene.folder.write("Package.swift", Data(manifest.utf8))
        try scene.folder.write("Sources/App/App.swift", Data(InitScene.model.utf8))
        let result = try scene.run("--yes")
        #expect(
            result.status == 0 && result.output == "App depends on StateTape already: nothing was changed.\n",
            "\(result)")
    }

    @Test("Of several stores, --store names one, also by its line")
    func several() throws {
        let other = InitScene.model.replacingOccurrences(of: "class Model", with: "class Other")
        try scene.folder.write("Sources/App/A.swift", Data(InitScene.model.utf8))
        try scene.folder.write("Sources/App/B.swift", Data(other.utf8))
        let result = try scene.run("--yes")
        #expect(
            result.status == 1 && result.errors.contains("Choose one with --store, such as --store Model."),
            "\(result)")
        #expect(
            result.output
                == "  Model in Sources/App/A.swift, line 6 (A store of your own)\n  Other in Sources/App/B.swift, line 6 (A store of your own)\n"
        )
        for name in ["Other", "Sources/App/B.swift:6"] {
            #expect(try scene.run("--dry-run", "--store", name).output.contains("+++ Sources/App/B.swift"))
        }
        #expect(try scene.run("--dry-run", "--store", "None").errors.contains("No store is named None."))
    }

    @Test("Without a terminal it needs --yes; line breaks, a byte order mark and permissions stay; --undo restores all")
    func bytes() throws {
        let source = "\u{feff}// Head\r\n" + InitScene.model.replacingOccurrences(of: "\n", with: "\r\n").dropLast()
        let path = try scene.folder.write("Sources/App/App.swift", Data(source.utf8))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let refused = try scene.run()
        #expect(refused.status == 1 && refused.errors.contains("Pass --yes"), "\(refused)")
        #expect(try scene.folder.text("Package.swift") == InitScene.manifest)
        let result = try scene.run("--yes")
        #expect(result.status == 0 && result.output.contains("with STATETAPE_URL=http://127.0.0.1:8080.\n"))
        #expect(result.output.contains("run `statetape init \(scene.folder.url.path) --undo`."), "\(result)")
        #expect(
            result.output.contains("`.statetape-init` has the old files for that: delete it once you keep the edit."))
        let edited = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(edited.starts(with: Data("\u{feff}// Head\r\nimport Foundation\r\nimport StateTape\r\n".utf8)))
        #expect(edited.count { $0 == 10 } == edited.count { $0 == 13 })
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
        #expect(try scene.run("--yes").errors.contains("Undo that with --undo, or delete .statetape-init"))
        #expect(try scene.run("--undo").output == "Restored Package.swift and Sources/App/App.swift.\n")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(source.utf8))
        #expect(try scene.folder.text("Package.swift") == InitScene.manifest)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scene.folder.url.path).sorted() == [
                "Package.swift", "Sources",
            ])
        #expect(try scene.run("--undo").errors.contains("nothing to undo"))
    }

    @Test(
        "Of `readLine` it says that the main actor stays busy, unless the call is for another thread",
        arguments: [
            ("func read() { _ = readLine() }", true), ("func read() { Task { _ = readLine() } }", true),
            ("func read() { Task.detached { _ = readLine() } }", false),
            (
                "func read() async {\n _ = await Task.detached(priority: .high) {\n if true { readLine() }\n }.value\n}",
                false
            ),
            ("func read() { DispatchQueue.global().async { _ = readLine() } }", false),
            ("func read() { DispatchQueue.main.async { _ = readLine() } }", true),
            ("func read() { Task.detached { _ = readLine() }; _ = readLine() }", true),
        ])
    func reading(_ code: String, _ isNamed: Bool) throws {
        try scene.folder.write("Sources/App/App.swift", Data((InitScene.model + code).utf8))
        let result = try scene.run("--dry-run")
        #expect(result.output.contains("`readLine` on the main actor keeps it busy") == isNamed, "\(result)")
    }

    @Test("--undo restores no file if one was changed since, and names it; one that was not reached is as it was")
    func undo() throws {
        try scene.folder.write("Sources/App/App.swift", Data(InitScene.model.utf8))
        #expect(try scene.run("--yes").status == 0)
        let (manifest, source) = (
            try scene.folder.text("Package.swift"), try scene.folder.text("Sources/App/App.swift")
        )
        try scene.folder.write("Sources/App/App.swift", Data((source + " ").utf8))
        let refused = try scene.run("--undo")
        #expect(
            refused.status == 1 && refused.errors.contains("Sources/App/App.swift was changed after"), "\(refused)")
        #expect(try scene.folder.text("Package.swift") == manifest)
        // As if the command had been stopped between its two files.
        try scene.folder.write("Sources/App/App.swift", Data(InitScene.model.utf8))
        #expect(try scene.run("--undo").status == 0)
        #expect(
            try scene.folder.text("Package.swift") == InitScene.manifest
                && scene.folder.text("Sources/App/App.swift") == InitScene.model)
    }

    @Test("A read-only file, a link out of the package and a file that is not UTF-8 stay as they are")
    func files() throws {
        let path = try scene.folder.write("Sources/App/App.swift", Data(InitScene.model.utf8))
        try scene.folder.write("Sources/App/Latin.swift", Data([0x2F, 0x2F, 0xE9, 10]))
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
        let result = try scene.run("--yes")
        #expect(
            result.status == 1 && result.errors.contains("Sources/App/App.swift is read-only. Nothing was changed"),
            "\(result)")
        #expect(result.errors.contains("Sources/App/Latin.swift was not read: it is not UTF-8."))
        #expect(try scene.folder.text("Package.swift") == InitScene.manifest)
        let other = try TestFolder()
        let outside = try other.write("App.swift", Data(InitScene.model.utf8))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: outside)
        let linked = try scene.run("--yes")
        #expect(
            linked.status == 1 && linked.errors.contains("Sources/App/App.swift is a link to \(outside)"),
            "\(linked)")
        #expect(
            try other.text("App.swift") == InitScene.model
                && scene.folder.text("Package.swift") == InitScene.manifest)
        // A link inside of the package stays a link.
        try FileManager.default.removeItem(atPath: path)
        try scene.folder.write("Shared/App.swift", Data(InitScene.model.utf8))
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "../../Shared/App.swift")
        #expect(try scene.run("--yes").output.contains("Changed Package.swift and Shared/App.swift."))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "../../Shared/App.swift")
        #expect(try scene.folder.text("Shared/App.swift").contains("import StateTape"))
        #expect(try scene.run("--undo").status == 0 && scene.folder.text("Shared/App.swift") == InitScene.model)
    }

    @Test("Without a manifest it says so, and prints the lines")
    func noPackage() throws {
        let empty = try TestFolder()
        let result = try CommandProcess.run(["init"]) { $0.currentDirectoryURL = empty.url }
        #expect(result.status == 1 && result.errors.contains("\(empty.url.path) has no Package.swift"), "\(result)")
        #expect(result.output.contains("track.record(action, &state)"))
    }
}
