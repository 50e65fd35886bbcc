#if Server
    import Foundation
    import Testing

    @testable import StateTapeCommand

    /// `Tests/Browser/test_init.py` compiles what it writes.
    @Suite("init", .timeLimit(.minutes(1)))
    struct InitTests {
        private let folder: TestFolder

        private static let manifest = """
            // swift-tools-version: 6.1
            import PackageDescription

            let package = Package(name: "App", targets: [.executableTarget(name: "App", dependencies: [])])

            """
        private static let types = """
            struct AppState: Codable { var count = 0 }
            enum AppAction: Codable { case add }
            func reduce(_ state: inout AppState, _ action: AppAction) { state.count += 1 }

            """
        private static let model = """
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

        private func run(_ options: String..., input: Data? = nil) throws -> CommandProcess.Result {
            try CommandProcess.run(["init", folder.url.path] + options, input: input)
        }

        /// The lines that the edit of a source would add and remove.
        private func changes(_ source: String, file: String = "App.swift") throws -> (
            lines: [String], result: CommandProcess.Result
        ) {
            try folder.write("Sources/App/\(file)", Data(source.utf8))
            let result = try run("--dry-run")
            let shown = result.output.split(separator: "\n").drop { $0 != "+++ Sources/App/\(file)" }.dropFirst()
            return (shown.filter { $0.hasPrefix("+") || $0.hasPrefix("-") }.map(String.init), result)
        }

        private static let connect = [
            "+        track.connect(", "+            state: { [weak self] in self?.state },",
            "+            dispatch: { [weak self] in self?.send($0) },",
            "+            play: { [weak self] in self?.state = $0 })",
        ]

        @Test(
            "A class that reduces is connected, however it does so",
            arguments: [
                ("reduce(&state, action)", "reduce(&$0, action)"),
                ("reduce(&self.state, action)", "reduce(&$0, action)"),
                ("Self.reduce(&state, action)", "Self.reduce(&$0, action)"),
                ("reduce(state: &state, with: action)", "reduce(state: &$0, with: action)"),
                ("state = reduce(state, action)", "$0 = reduce($0, action)"),
                ("self.state.reduce(action)", "$0.reduce(action)"),
                ("state.apply(action: action)", "$0.apply(action: action)"),
                ("self.state = next(state: self.state, action: action)", "$0 = next(state: $0, action: action)"),
            ])
        func classes(_ body: String, _ reduction: String) throws {
            let source = Self.model.replacingOccurrences(of: "reduce(&state, action)", with: body)
            let (lines, result) = try changes(source)
            #expect(result.status == 0, "\(result)")
            #expect(
                lines == [
                    "+import StateTape", "+    private let track = Recorder().track(AppState(), AppAction.self)", "+",
                    "+    init() {", "+        state = track.start",
                ] + Self.connect + [
                    "+    }",
                    "-        \(body)", "+        track.record(action, &state) { \(reduction) }",
                ], "\(lines.joined(separator: "\n"))")
        }

        @Test(
            "A target is found in each folder in which SwiftPM looks for it",
            arguments: ["Sources/App", "Source/App", "src/App", "srcs/App", "Sources", "src"])
        func folders(_ target: String) throws {
            try folder.write("\(target)/App.swift", Data(Self.model.utf8))
            let result = try run("--dry-run")
            #expect(result.status == 0 && result.output.contains(" in \(target)/App.swift, line 6 "), "\(result)")
        }

        @Test("The recorder stands behind the observers of the state")
        func observers() throws {
            let property = "var state = AppState() {\n        didSet { print(state) }\n    }"
            let source = Self.model.replacingOccurrences(of: "var state = AppState()", with: property)
            try folder.write("Sources/App/App.swift", Data(source.utf8))
            let result = try run("--yes")
            #expect(result.status == 0, "\(result)")
            let edited =
                "    \(property)\n    private let track = Recorder().track(AppState(), AppAction.self)\n\n    init() {\n"
            #expect(try folder.text("Sources/App/App.swift").contains(edited), "\(result)")
        }

        @Test("Of a method that does more, only the switch that changes the state is recorded")
        func more() throws {
            let body =
                "guard isOn else { return }\n        switch action {\n        case .add: self.state.count += 1\n        }\n        print(state.count)"
            let (lines, result) = try changes(Self.model.replacingOccurrences(of: "reduce(&state, action)", with: body))
            #expect(
                result.status == 0 && result.output.contains("`send` does more than reduce the state."), "\(result)")
            #expect(
                lines.suffix(6) == [
                    "-        switch action {", "-        case .add: self.state.count += 1",
                    "+        track.record(action, &state) { state in", "+            switch action {",
                    "+            case .add: state.count += 1", "+            }",
                ], "\(lines.joined(separator: "\n"))")
        }

        @Test(
            "What can't be edited is named with the reason, and the lines to add",
            arguments: [
                (
                    "import StateTapeStore\nlet store = Store(initial: AppState(), reducer: { $0.count += $1 })",
                    "isn't clear"
                ),
                (
                    "import ComposableArchitecture\nlet store = Store(initialState: AppState()) { AppFeature() }",
                    "`Taped`"
                ),
                ("import ReSwift\nlet store = Store(reducer: appReducer, state: nil)", "isn't clear"),
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
                    "actor M { var state = AppState()\n func send(_ action: AppAction) { reduce(&state, action) } }",
                    "“A Swift actor”"
                ),
                (
                    "func next(state: AppState, action: AppAction) -> AppState { state }",
                    "next in Sources/App/App.swift, line 1"
                ),
                (
                    "func next(_ state: inout AppState, _ action: Message) {}\nvar state = AppState()",
                    "“A reducer in a loop”"
                ),
            ])
        func byHand(_ source: String, _ reason: String) throws {
            try folder.write("Sources/App/App.swift", Data((source + "\n").utf8))
            let result = try run("--yes")
            #expect(result.status == 1 && result.errors.contains(reason), "\(result)")
            for line in [
                "traits: [])  // in Package.swift, to the dependencies of the package\n",
                "  .product(name: \"StateTape\", package: \"StateTape\")  // in Package.swift, to the dependencies of the target\n",
                "  import StateTape\n", "track.connect(", "/Sources/StateTape/StateTape.docc/Recipes.md.\n",
            ] { #expect(result.output.contains(line), "\(line) in \(result)") }
            #expect(try folder.text("Package.swift") == Self.manifest && folder.names(".").count == 2)
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
            ])
        func none(_ source: String) throws {
            try folder.write("Sources/App/App.swift", Data((source + "\n").utf8))
            let result = try run("--yes")
            #expect(result.status == 1 && result.errors == "Error: No store was found.\n", "\(result)")
            #expect(result.output.hasPrefix("Looked in 1 Swift file of Sources/App for:\n  `Store(initial:reducer:)`"))
            #expect(result.output.contains("`send(_ action: AppAction)`") && result.output.contains("track.connect("))
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
                try folder.write("Package.swift", Data(manifest(dependencies, target).utf8))
                try folder.write("Sources/App/App.swift", Data(Self.model.utf8))
                let result = try run("--yes", "--package", "https://example.com/statetape.git")
                #expect(result.status == 0, "\(result)")
                let package = ".package(url: \"https://example.com/statetape.git\", from: \"0.1.0\", traits: [])"
                #expect(
                    try folder.text("Package.swift")
                        == manifest(more.replacingOccurrences(of: "P", with: package), edited))
                #expect(try run("--undo").status == 0)
                #expect(try folder.text("Package.swift") == manifest(dependencies, target))
            }
        }

        @Test("Before tools version 6.1, a dependency names no traits")
        func tools() throws {
            try folder.write("Package.swift", Data(Self.manifest.replacingOccurrences(of: "6.1", with: "5.9").utf8))
            try folder.write("Sources/App/App.swift", Data(Self.model.utf8))
            let result = try run("--dry-run")
            #expect(
                result.status == 0 && !result.output.contains(", traits")
                    && result.output.contains(
                        "\nBefore swift-tools-version 6.1, a dependency can't leave StateTape's server out:")
                    && result.output.contains("name: \"StateTape\", path:"))
        }

        @Test(
            "A package that records already stays as it is",
            arguments: [
                "dependencies: [.product(name: \"StateTape\", package: \"StateTape\")]",
                "dependencies: [\"StateTape\"]",
            ])
        func existing(_ dependencies: String) throws {
            let manifest = Self.manifest.replacingOccurrences(of: "dependencies: []", with: dependencies)
            try folder.write("Package.swift", Data(manifest.utf8))
            try folder.write("Sources/App/App.swift", Data(Self.model.utf8))
            let result = try run("--yes")
            #expect(
                result.status == 0 && result.output == "App depends on StateTape already: nothing was changed.\n",
                "\(result)")
        }

        @Test("Of several stores, --store names one, also by its line")
        func several() throws {
            let other = Self.model.replacingOccurrences(of: "class Model", with: "class Other")
            try folder.write("Sources/App/A.swift", Data(Self.model.utf8))
            try folder.write("Sources/App/B.swift", Data(other.utf8))
            let result = try run("--yes")
            #expect(
                result.status == 1 && result.errors.contains("Choose one with --store, such as --store Model."),
                "\(result)")
            #expect(
                result.output
                    == "  Model in Sources/App/A.swift, line 6 (A store of your own)\n  Other in Sources/App/B.swift, line 6 (A store of your own)\n"
            )
            for name in ["Other", "Sources/App/B.swift:6"] {
                #expect(try run("--dry-run", "--store", name).output.contains("+++ Sources/App/B.swift"))
            }
            #expect(try run("--dry-run", "--store", "None").errors.contains("No store is named None."))
        }

        @Test(
            "Without a terminal it needs --yes; line breaks, a byte order mark and permissions stay; --undo restores all"
        )
        func bytes() throws {
            let source = "\u{feff}// Head\r\n" + Self.model.replacingOccurrences(of: "\n", with: "\r\n").dropLast()
            let path = try folder.write("Sources/App/App.swift", Data(source.utf8))
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
            let refused = try run()
            #expect(refused.status == 1 && refused.errors.contains("Pass --yes"), "\(refused)")
            #expect(try folder.text("Package.swift") == Self.manifest)
            let result = try run("--yes")
            #expect(result.status == 0 && result.output.contains("with STATETAPE_URL=http://127.0.0.1:8080.\n"))
            let edited = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(edited.starts(with: Data("\u{feff}// Head\r\nimport Foundation\r\nimport StateTape\r\n".utf8)))
            #expect(edited.count { $0 == 10 } == edited.count { $0 == 13 })
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
            #expect(try run("--yes").errors.contains("Undo that with --undo, or delete .statetape-init"))
            #expect(try run("--undo").output == "Restored Package.swift, Sources/App/App.swift.\n")
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(source.utf8))
            #expect(try folder.text("Package.swift") == Self.manifest)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == [
                    "Package.swift", "Sources",
                ])
            #expect(try run("--undo").errors.contains("nothing to undo"))
        }

        @Test("--undo restores no file if one was changed since, and names it; one that was not reached is as it was")
        func undo() throws {
            try folder.write("Sources/App/App.swift", Data(Self.model.utf8))
            #expect(try run("--yes").status == 0)
            let (manifest, source) = (try folder.text("Package.swift"), try folder.text("Sources/App/App.swift"))
            try folder.write("Sources/App/App.swift", Data((source + " ").utf8))
            let refused = try run("--undo")
            #expect(
                refused.status == 1 && refused.errors.contains("Sources/App/App.swift was changed after"), "\(refused)")
            #expect(try folder.text("Package.swift") == manifest)
            // As if the command had been stopped between its two files.
            try folder.write("Sources/App/App.swift", Data(Self.model.utf8))
            #expect(try run("--undo").status == 0)
            #expect(
                try folder.text("Package.swift") == Self.manifest && folder.text("Sources/App/App.swift") == Self.model)
        }

        @Test("A read-only file, a link out of the package and a file that is not UTF-8 stay as they are")
        func files() throws {
            let path = try folder.write("Sources/App/App.swift", Data(Self.model.utf8))
            try folder.write("Sources/App/Latin.swift", Data([0x2F, 0x2F, 0xE9, 10]))
            try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
            let result = try run("--yes")
            #expect(
                result.status == 1 && result.errors.contains("Sources/App/App.swift is read-only. Nothing was changed"),
                "\(result)")
            #expect(result.errors.contains("Sources/App/Latin.swift was not read: it is not UTF-8."))
            #expect(try folder.text("Package.swift") == Self.manifest)
            let other = try TestFolder()
            let outside = try other.write("App.swift", Data(Self.model.utf8))
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: outside)
            let linked = try run("--yes")
            #expect(
                linked.status == 1 && linked.errors.contains("Sources/App/App.swift is a link to \(outside)"),
                "\(linked)")
            #expect(try other.text("App.swift") == Self.model && folder.text("Package.swift") == Self.manifest)
            // A link inside of the package stays a link.
            try FileManager.default.removeItem(atPath: path)
            try folder.write("Shared/App.swift", Data(Self.model.utf8))
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "../../Shared/App.swift")
            #expect(try run("--yes").output.contains("Changed Package.swift and Shared/App.swift."))
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "../../Shared/App.swift")
            #expect(try folder.text("Shared/App.swift").contains("import StateTape"))
            #expect(try run("--undo").status == 0 && folder.text("Shared/App.swift") == Self.model)
        }

        @Test("A manifest that it can't read is named, with the lines")
        func oddManifest() throws {
            try folder.write("Package.swift", Data("let package = Package(name: \"App\", targets: all)\n".utf8))
            let result = try run("--yes")
            #expect(result.status == 1 && result.errors.contains("no literal list of targets"), "\(result)")
            #expect(result.output.contains("track.record(action, &state)"))
        }

        @Test("Without a manifest it says so, and prints the lines")
        func noPackage() throws {
            let empty = try TestFolder()
            let result = try CommandProcess.run(["init", empty.url.path])
            #expect(result.status == 1 && result.errors.contains("has no Package.swift"), "\(result)")
            #expect(result.output.contains("track.record(action, &state)"))
        }
    }
#endif
