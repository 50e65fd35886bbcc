import Testing

@testable import StateTapeCommand

@Suite("The errors in a build's output") struct BuildErrorTests {
    @Test("A compiler's error has its place, once, below the package's folder")
    func placed() {
        let errors = BuildError.errors(
            in: [
                "[3/5] Compiling App App.swift", "/pkg/Sources/App/App.swift:3:5: error: cannot find 'x' in scope",
                " 3 |     x", "   |     `- error: cannot find 'x' in scope",
                "/pkg/Sources/App/App.swift:3:5: error: cannot find 'x' in scope",
                "/pkg/Sources/App/App.swift:4:1: warning: unused", "src/a.c:7: fatal error: 'b.h' file not found",
                "error: fatalError",
            ], folder: "/pkg")
        #expect(
            errors == [
                BuildError(file: "Sources/App/App.swift", line: 3, column: 5, text: "cannot find 'x' in scope"),
                BuildError(file: "src/a.c", line: 7, text: "'b.h' file not found"),
            ])
        #expect(
            errors.map(\.description) == [
                "Sources/App/App.swift:3:5: cannot find 'x' in scope", "src/a.c:7: 'b.h' file not found",
            ])
    }

    @Test("Without a place the text is kept, with control characters written out")
    func general() {
        let errors = BuildError.errors(
            in: ["error: no such module\u{1b}[31m", "clang: error: linker command failed", "no error here"],
            folder: "/pkg")
        #expect(errors.map(\.text) == ["no such module\\u{1b}[31m", "linker command failed"])
    }
}
