#if Server
    import Foundation
    import Testing

    @testable import StateTapeCommand

    @Suite("The watched sources", .timeLimit(.minutes(1))) struct SourceTreeTests {
        private let folder: TestFolder

        init() throws {
            folder = try TestFolder()
        }

        private func tree(whole: Bool = false) -> SourceTree {
            SourceTree([SourceFolder(url: folder.url.resolvingSymlinksInPath(), isWhole: whole)])
        }

        private func names(_ paths: [String]) -> [String] {
            paths.map { $0.replacing(folder.url.resolvingSymlinksInPath().path + "/", with: "") }
        }

        @Test("Sources, their resources and the manifest count; tests, builds, hidden and temporary files don't")
        func counted() throws {
            var tree = tree()
            let counted = ["App/Other.swift", "Package.swift", "Sources/App/a.swift", "Sources/App/text.json"]
            let others = [
                "README.md", ".build/a.swift", "Tests/a.swift", "App/data.db", "Sources/.hidden/a.swift",
                "Sources/App/.a.swift.swp", "Sources/App/a.swift~", "Sources/App/4913", "Sources/App/a.swift.sb-12ab",
                "Sources/App/#a.swift#", "Sources/App/a.swift___jb_tmp___",
            ]
            for name in counted + others { try folder.write(name, Data("1".utf8)) }
            #expect(names(tree.update()) == counted)
            var all = self.tree(whole: true)
            try folder.write("README.md", Data("2".utf8))
            #expect(names(all.update()) == ["README.md"])
        }

        @Test("The same text again is no change, unless touched files count")
        func same() throws {
            try folder.write("Sources/a.swift", Data("1".utf8))
            var tree = tree()
            let file = folder.url.appendingPathComponent("Sources/a.swift")
            try folder.write("Sources/a.swift", Data("22".utf8))
            #expect(names(tree.update()) == ["Sources/a.swift"])
            try FileManager.default.removeItem(at: file)
            #expect(names(tree.update()) == ["Sources/a.swift"])
            try folder.write("Sources/a.swift", Data("22".utf8))
            #expect(names(tree.update()) == ["Sources/a.swift"])
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: file.path)
            #expect(tree.update() == [])
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 2)], ofItemAtPath: file.path)
            #expect(names(tree.update(touched: true)) == ["Sources/a.swift"])
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
                var tree = tree()
                try save("2", at: 101)
                #expect(tree.update().count == 1)
                tree.setTimes()
                #expect(try time() == 101)
                for (text, second) in [("3", 102.0), ("4", 103), ("5", 104)] {
                    try save(text, at: 101.5)
                    #expect(tree.update().count == 1)
                    tree.setTimes()
                    #expect(try time() == second)
                    // What was set is no change.
                    #expect(tree.update() == [])
                }
                try save("old", at: 1)
                #expect(tree.update().count == 1)
                tree.setTimes()
                #expect(try time() == 1)
            }
        #endif

        @Test("Links in circles end, and a folder that is gone is no error")
        func links() throws {
            try folder.write("Sources/a.swift", Data("1".utf8))
            try FileManager.default.createSymbolicLink(
                at: folder.url.appendingPathComponent("Sources/circle"), withDestinationURL: folder.url)
            var tree = tree()
            #expect(tree.paths.count == 2)
            try FileManager.default.removeItem(at: folder.url)
            #expect(names(tree.update()) == ["Sources/a.swift"])
            #expect(tree.paths == [] && tree.update() == [])
        }
    }
#endif
