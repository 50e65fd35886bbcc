import Foundation
import Testing

@testable import StateTapeCommand

@Suite("The watched sources", .timeLimit(.minutes(1))) struct SourceTreeTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func tree(whole: Bool = false, limit: Int = SourceTree.limit) throws -> SourceTree {
        try SourceTree(
            [SourceFolder(url: folder.url.resolvingSymlinksInPath(), isWhole: whole)], limit: limit)
    }

    private func names(_ paths: [String]) -> [String] {
        paths.map { $0.replacing(folder.url.resolvingSymlinksInPath().path + "/", with: "") }
    }

    @Test("Sources, their resources and the manifest count; tests, builds, hidden and temporary files don't")
    func counted() throws {
        var tree = try tree()
        let counted = ["App/Other.swift", "Package.swift", "Sources/App/a.swift", "Sources/App/text.json"]
        let others = [
            "README.md", ".build/a.swift", "Tests/a.swift", "App/data.db", "Sources/.hidden/a.swift",
            "Sources/App/.a.swift.swp", "Sources/App/a.swift~", "Sources/App/4913", "Sources/App/a.swift.sb-12ab",
            "Sources/App/#a.swift#", "Sources/App/a.swift___jb_tmp___",
        ]
        for name in counted + others { try folder.write(name, Data("1".utf8)) }
        #expect(try names(tree.update()) == counted)
        var all = try self.tree(whole: true)
        try folder.write("README.md", Data("2".utf8))
        #expect(try names(all.update()) == ["README.md"])
    }

    @Test("The same text again is no change, unless touched files count")
    func same() throws {
        try folder.write("Sources/a.swift", Data("1".utf8))
        var tree = try tree()
        let file = folder.url.appendingPathComponent("Sources/a.swift")
        try folder.write("Sources/a.swift", Data("22".utf8))
        #expect(try names(tree.update()) == ["Sources/a.swift"])
        try FileManager.default.removeItem(at: file)
        #expect(try names(tree.update()) == ["Sources/a.swift"])
        try folder.write("Sources/a.swift", Data("22".utf8))
        #expect(try names(tree.update()) == ["Sources/a.swift"])
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: file.path)
        #expect(try tree.update() == [])
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 2)], ofItemAtPath: file.path)
        #expect(try names(tree.update(touched: true)) == ["Sources/a.swift"])
    }

    #if os(Linux)
        @Test("The second of two versions in one second gets a time of its own")
        func second() throws {
            let file = folder.url.appendingPathComponent("Sources/a.swift").path
            func save(_ text: String, at time: Double) throws {
                try folder.write("Sources/a.swift", Data(text.utf8))
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: file)
            }
            func time() throws -> Double? {
                let time = try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
                return time?.timeIntervalSince1970
            }
            try save("1", at: 100.25)
            var tree = try tree()
            try save("2", at: 101)
            #expect(try tree.update().count == 1)
            tree.setTimes()
            #expect(try time() == 101)
            for (text, second) in [("3", 102.0), ("4", 103), ("5", 104)] {
                try save(text, at: 101.5)
                #expect(try tree.update().count == 1)
                tree.setTimes()
                #expect(try time() == second)
                // What was set is no change.
                #expect(try tree.update() == [])
            }
            try save("old", at: 1)
            #expect(try tree.update().count == 1)
            tree.setTimes()
            #expect(try time() == 1)
        }
    #endif

    @Test("A link to a file counts by its target, through further links, and is watched there")
    func linkedFile() throws {
        let outside = try TestFolder()
        let place = outside.url.resolvingSymlinksInPath().path
        for name in ["one/a.swift", "two/a.swift"] { try outside.write(name, Data(name.utf8)) }
        try FileManager.default.createDirectory(
            atPath: outside.path("links"), withIntermediateDirectories: true)
        let middle = outside.path("links/middle.swift")
        try FileManager.default.createSymbolicLink(atPath: middle, withDestinationPath: "../one/a.swift")
        try folder.write("Sources/b.swift", Data("1".utf8))
        let link = folder.path("Sources/a.swift")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "\(place)/links/middle.swift")
        var tree = try tree()
        #expect(tree.linked == ["\(place)/links", "\(place)/one"])
        try outside.write("one/a.swift", Data("changed".utf8))
        #expect(try names(tree.update()) == ["Sources/a.swift"])
        // The link in the middle, then the link itself, leads elsewhere.
        try FileManager.default.removeItem(atPath: middle)
        try FileManager.default.createSymbolicLink(atPath: middle, withDestinationPath: "../two/a.swift")
        #expect(try names(tree.update()) == ["Sources/a.swift"])
        #expect(tree.linked == ["\(place)/links", "\(place)/two"])
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "\(place)/one/a.swift")
        #expect(try names(tree.update()) == ["Sources/a.swift"])
        #expect(tree.linked == ["\(place)/one"])
        // Without its target it is no file; the folder is watched in which the target may appear.
        try FileManager.default.removeItem(atPath: outside.path("one/a.swift"))
        #expect(try names(tree.update()) == ["Sources/a.swift"])
        #expect(tree.linked == ["\(place)/one"])
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a.swift")
        #expect(try tree.update() == [])
    }

    @Test("A watched file that a link leads to is noticed", .timeLimit(.minutes(1)))
    func noticed() async throws {
        let outside = try TestFolder()
        try outside.write("a.swift", Data("1".utf8))
        try folder.write("Sources/b.swift", Data("1".utf8))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("Sources/a.swift"), withDestinationPath: outside.path("a.swift"))
        let watcher = try FileWatcher()
        try watcher.watch(tree().watched)
        try outside.write("a.swift", Data("2".utf8))
        #expect(watcher.wait(atMost: .seconds(5)))
    }

    @Test("Too many files and folders are an error that names the place, the limit and the way out")
    func limit() throws {
        for name in ["a", "b", "c"] { try folder.write("Sources/\(name).swift", Data("1".utf8)) }
        var tree = try tree(limit: 5)
        try folder.write("Sources/d.swift", Data("1".utf8))
        let failure = #expect(throws: Failure.self) { try tree.update() }
        let path = folder.url.resolvingSymlinksInPath().path
        #expect(
            failure?.description == "\(path) has more than 5 files and folders to watch, such as those in"
                + " \(path)/Sources. Name the folders of the sources with --watch.")
        try FileManager.default.removeItem(atPath: folder.path("Sources/d.swift"))
        #expect(try tree.update() == [])
    }

    @Test("Links in circles end, and a folder that is gone is no error")
    func links() throws {
        try folder.write("Sources/a.swift", Data("1".utf8))
        try FileManager.default.createSymbolicLink(
            at: folder.url.appendingPathComponent("Sources/circle"), withDestinationURL: folder.url)
        var tree = try tree()
        #expect(tree.paths.count == 2)
        try FileManager.default.removeItem(at: folder.url)
        #expect(try names(tree.update()) == ["Sources/a.swift"])
        #expect(try tree.paths == [] && tree.update() == [])
    }
}
