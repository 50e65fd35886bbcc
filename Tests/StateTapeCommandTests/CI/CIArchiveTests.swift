import Foundation
import TapeFormat
import Testing

@testable import StateTapeCommand

@Suite("ci with an archive", .timeLimit(.minutes(1)))
struct CIArchiveTests {
    private let scene: CIScene
    private let server: ServerProcess

    init() throws {
        scene = try CIScene()
        server = try ServerProcess("--token", "control=s3cret-token")
    }

    private var archive: String { server.url + "#token=s3cret-token" }

    private func summary(_ session: String) throws -> JSON? {
        let list = try CommandProcess.run(["sessions", "--json", "--server", archive])
        #expect(list.status == 0, "\(list.errors)")
        return try list.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
            .first { $0["session"]?.string == session }
    }

    private func add(_ tape: Data) throws {
        let file = try scene.folder.write("upload/passing.tape", tape)
        let result = try CommandProcess.run(["import", file, "--server", archive])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test("Failing tapes are uploaded with the run's labels, and the links don't contain the token")
    func upload() throws {
        try scene.leave("1.tape", CIScene.tape("SESSION-0001", test: "pays()", .outcome("failed"), errors: ["No"]))
        try scene.leave("2.tape", CIScene.tape("SESSION-0002", test: "crashes()", .died, labels: ["branch": "own"]))
        try scene.leave("3.tape", CIScene.tape("SESSION-0003", test: "passes()", .outcome("passed")))
        let result = try scene.run(
            ["--archive", archive], script: "exit 1", environment: ["GITHUB_REF_NAME": "main", "GITHUB_SHA": "abc"])
        #expect(result.status == 1)
        let link = "\(server.url)?session=SESSION-0001&event=2"
        #expect(result.errors.contains("pays() failed: No – \(link)\n"), "\(result.errors)")
        #expect(result.errors.contains("2 failing tests left a tape. Uploaded: 2."))
        let index = try scene.index
        #expect(!result.errors.contains("s3cret-token") && !index.contains("s3cret-token"))
        #expect(index.contains("href=\"\(Markup.xml(link))\">Archive</a>"))
        #expect(try scene.output().contains("CheckoutTests-pays.html"))
        let labels = try #require(try summary("SESSION-0001")?["labels"])
        #expect(labels["branch"] == "main" && labels["commit"] == "abc" && labels["ci"] == "true")
        let crashed = try #require(try summary("SESSION-0002")?["labels"])
        #expect(crashed["branch"] == "own" && crashed["outcome"] == "crashed")
        #expect(try summary("SESSION-0003") == nil)
        // A repeated run finds the same session.
        let again = try scene.run(
            ["--archive", archive, "--keep-passing"], environment: ["GITHUB_REF_NAME": "main"])
        #expect(again.status == 0 && again.errors.contains(link), "\(again.errors)")
        #expect(try summary("SESSION-0003")?["labels"]?["branch"] == "main")
    }

    @Test("A failed upload is a warning; the exit code and the local pages stay")
    func failing() throws {
        try scene.leave("1.tape", CIScene.tape("SESSION-0001", test: "pays()", .outcome("failed")))
        for (url, warnings) in [
            (
                "http://127.0.0.1:1",
                ["warning: Nothing was uploaded: The server at http://127.0.0.1:1 can't be reached"]
            ),
            (
                server.url + "#token=wrong",
                [
                    "warning: CheckoutTests-pays.tape was not uploaded: The server refused",
                    "warning: CheckoutTests/pays() was not compared: ",
                ]
            ),
        ] {
            let result = try scene.run(["--archive", url, "--compare-with", "branch=main"], script: "exit 4")
            #expect(result.status == 4)
            for warning in warnings { #expect(result.errors.contains(warning), "\(result.errors)") }
            #expect(result.errors.contains("pays() failed"))
            #expect(try scene.output().contains("CheckoutTests-pays.html"))
        }
        let invalid = try scene.run(["--archive", "tapes"], script: "echo ran")
        #expect(
            invalid.status == 64 && invalid.output.isEmpty && invalid.errors.contains("is not a URL of the kind"))
        #expect(try scene.run(["--compare-with", "branch=main"]).status == 64)
        #expect(try scene.run(["--archive", archive, "--compare-with", "main"]).status == 64)
    }

    @Test("--compare-with finds the newest passing tape of the same test, and names the first difference")
    func comparison() throws {
        let main = ["branch": "main"]
        try add(CIScene.tape("SESSION-OLD1", test: "pays()", .outcome("passed"), value: 9, labels: main))
        try add(CIScene.tape("SESSION-GOOD", test: "pays()", .outcome("passed"), value: 5, labels: main))
        // None of these is a passing tape of that test on main.
        try add(CIScene.tape("SESSION-BAD1", test: "pays()", .outcome("failed"), labels: main))
        try add(CIScene.tape("SESSION-BAD2", test: "adds()", .outcome("passed"), labels: main))
        try add(CIScene.tape("SESSION-BAD3", test: "pays()", suite: "Other", .outcome("passed"), labels: main))
        try add(CIScene.tape("SESSION-BAD4", test: "pays()", .outcome("passed"), labels: ["branch": "b"]))
        try scene.leave("1.tape", CIScene.tape("SESSION-0001", test: "pays()", .outcome("failed"), value: 7))
        try scene.leave("2.tape", CIScene.tape("SESSION-0002", test: "new()", .outcome("failed")))
        try scene.leave("3.tape", CIScene.tape("SESSION-0003", test: nil, .died))
        let summary = scene.folder.path("summary.md")
        let result = try scene.run(
            ["--archive", archive, "--compare-with", "branch=main"],
            environment: ["GITHUB_STEP_SUMMARY": summary, "GITHUB_ACTIONS": "true"])
        let difference =
            "First difference from the passing tape SESSION-GOOD: #1 cart/add and #1 cart/add, the same action led to"
            + " different states (replace /n: 7)."
        #expect(result.errors.contains(difference), "\(result.errors)")
        #expect(
            result.errors.contains("new() failed")
                && result.errors.contains("no passing tape of this test on branch main"))
        #expect(result.output.contains("First difference from the passing tape"))
        let index = try scene.index
        #expect(index.contains(difference) && index.contains("First difference from branch=main"))
        let link = "\(server.url)?session=SESSION-GOOD&view=compare&other=SESSION-0001"
        #expect(index.contains("href=\"\(Markup.xml(link))\""))
        #expect(try scene.folder.text("summary.md").contains("[Compare](\(link))"))
    }
}

@Suite("ci in GitHub Actions", .timeLimit(.minutes(1)))
struct CIGitHubTests {
    @Test("The summary is appended to; the annotation names the file and the line in the repository")
    func files() throws {
        let scene = try CIScene()
        try scene.folder.write("Tests/ShopTests/CheckoutTests.swift", Data())
        try scene.leave(
            "1.tape",
            CIScene.tape(
                "SESSION-0001", test: "pays()", .outcome("failed"),
                errors: ["Expectation failed: 1 == 2"], caller: "ShopTests/CheckoutTests.swift:41"))
        try scene.folder.write("summary.md", Data("# Before\n".utf8))
        let environment = ["GITHUB_STEP_SUMMARY": scene.folder.path("summary.md"), "GITHUB_ACTIONS": "true"]
        let result = try scene.run(script: "echo tests", environment: environment)
        #expect(
            result.output
                == "tests\n::error file=Tests/ShopTests/CheckoutTests.swift,line=41,title=CheckoutTests/pays()::"
                + "Expectation failed: 1 == 2%0A"
                + "Tape: ./statetape-ci/CheckoutTests-pays.html\n")
        let summary = try scene.folder.text("summary.md")
        #expect(summary.hasPrefix("# Before\n\n### StateTape: failing tests\n\n| Test | Suite |"), "\(summary)")
        #expect(summary.contains("| pays() | CheckoutTests | Expectation failed\\: 1 == 2 |"))
        let away = try scene.run(environment: ["GITHUB_STEP_SUMMARY": "/no/such/summary.md"])
        #expect(
            away.status == 0
                && away.errors.contains("warning: The job summary /no/such/summary.md can't be written"))
        #expect(away.output.isEmpty)
    }
}
