import ArgumentParser
import Foundation
import Testing

@testable import StateTapeCommand

@Suite("A swift run command") struct SwiftRunTests {
    @Test("Its options go to the build, its arguments to the product")
    func parts() throws {
        let run = try #require(
            try SwiftRun(
                [
                    "swift", "run", "-c", "release", "--skip-build", "-Xswiftc", "-DX", "--package-path=a", "App",
                    "-c", "1",
                ]))
        #expect(
            run.build == [
                "swift", "build", "-c", "release", "-Xswiftc", "-DX", "--package-path=a", "--product", "App",
            ])
        #expect(run.product == "App" && run.arguments == ["-c", "1"] && run.packagePath == "a")
        let bare = try #require(try SwiftRun(["/usr/bin/swift", "run"]))
        #expect(bare.build == ["swift", "build"] && bare.product == nil)
    }

    @Test("Another command is none, and one that starts no app is refused")
    func others() throws {
        #expect(try SwiftRun(["swift", "test"]) == nil)
        #expect(try SwiftRun(["make", "run"]) == nil)
        #expect(throws: Failure.self) { try SwiftRun(["swift", "run", "--repl"]) }
        #expect(throws: Failure.self) { try RunCommand(["make", "run"], build: nil) }
    }

    @Test("A package's executables are those of its description")
    func executables() {
        let text = """
            warning: something
            {"products":[{"name":"Lib","type":{"library":["automatic"]}},{"name":"App","type":{"executable":null}}]}
            """
        #expect(SwiftRun.executables(text) == ["App"])
    }

    @Test("--build takes another command, and --latest and --replay exclude each other")
    func options() throws {
        let run = try #require(
            try StateTapeCommand.parseAsRoot(["run", "--replay", "--build", "make", "--", "./app", "--x"]) as? Run)
        #expect(run.start == .replay && run.command == ["./app", "--x"])
        for arguments in [
            ["run"], ["run", "--", "./app"], ["run", "--latest", "--replay", "--", "swift", "run"],
            ["run", "--watch", "/no/such", "--", "swift", "run"],
        ] {
            #expect(throws: (any Error).self, "\(arguments)") { try StateTapeCommand.parseAsRoot(arguments) }
        }
    }
}
