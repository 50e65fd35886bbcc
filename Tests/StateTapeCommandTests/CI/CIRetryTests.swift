import Foundation
import Testing

@testable import StateTapeCommand

@Suite("ci with tests that are run again", .timeLimit(.minutes(1)))
struct CIRetryTests {
    private static let failure = "<failure message='1'/>"

    /// - Parameter outcomes: The content of each listed case.
    private static func suite(_ outcomes: [String], name: String = "pays()") -> String {
        let cases = outcomes.map { "<testcase classname='ShopTests.CheckoutTests' name='\(name)'>\($0)</testcase>" }
        return "<testsuite>" + cases.joined() + "</testsuite>"
    }

    private static func file(_ suites: String...) -> String { "<testsuites>\(suites.joined())</testsuites>" }

    @Test("The last of several runs counts, as the tools list them; a single one is none")
    func forms() throws {
        for (tool, text, hasPassed) in [
            ("xcodebuild", Self.file(Self.suite([Self.failure, Self.failure, ""])), true),
            ("xcodebuild, never passed", Self.file(Self.suite([Self.failure, Self.failure])), false),
            ("Maven", Self.file(Self.suite(["<flakyFailure message='1'/>"])), true),
            ("Maven, never passed", Self.file(Self.suite(["\(Self.failure)<rerunFailure/>"])), false),
            ("pytest, once", Self.file(Self.suite([""])), false),
            ("pytest, each run", Self.file(Self.suite(["", ""])), false),
            ("error", Self.file(Self.suite(["<error/>"])), false),
            ("then skipped", Self.file(Self.suite([Self.failure, "<skipped/>"])), false),
            ("other arguments", Self.file(Self.suite(["", Self.failure, ""])), false),
            (
                "named arguments",
                Self.file(Self.suite([Self.failure], name: "pays(1)"), Self.suite([""], name: "pays(2)")), false
            ),
            ("another device", Self.file(Self.suite([Self.failure]), Self.suite([""])), false),
            ("a failure in a text", Self.file(Self.suite(["<system-out><failure/></system-out>"])), false),
        ] {
            let document = try JUnitDocument(Array(text.utf8))
            #expect(document.hasPassedLater(test: "pays()", suite: "CheckoutTests") == hasPassed, "\(tool)")
            #expect(document.hasPassedLater(test: "other()", suite: "CheckoutTests") == nil)
        }
    }

    @Test("A test that passes in the end isn't listed as failing; its tape stays")
    func listed() throws {
        let scene = try CIScene()
        try scene.leave(
            "1.tape", CIScene.tape("SESSION-0001", test: "pays()", .outcome("failed"), errors: ["Not paid"]))
        try scene.leave(
            "2.tape", CIScene.tape("SESSION-0002", test: "adds()", .outcome("failed"), errors: ["Not added"]))
        let report = Self.file(
            Self.suite([Self.failure, ""]), Self.suite([Self.failure, Self.failure], name: "adds()"))
        try scene.folder.write("report", Data(report.utf8))
        let result = try scene.run(
            ["--junit", "tests.xml"], script: "cp report tests.xml; exit 1",
            environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "summary.md"])
        #expect(
            result.errors.contains("statetape: CheckoutTests/pays() failed, and passed when it was run again: "))
        #expect(
            result.errors.contains("statetape: 1 failing test left a tape. Passed when run again: 1. See"),
            "\(result.errors)")
        #expect(result.output.contains("Not added") && !result.output.contains("Not paid"))
        for text in [try scene.folder.text("summary.md"), try scene.index] {
            let parts = text.split(separator: /assed when run again/)
            try #require(parts.count == 2)
            #expect(parts[0].contains("Not added") && !parts[0].contains("Not paid"))
            #expect(parts[1].contains("Not paid") && parts[1].contains("CheckoutTests-pays.html"))
        }
        // The link is that of the failed run.
        let property =
            "<properties><property name=\"statetape\" value=\"./statetape-ci/CheckoutTests-pays.html\"/></properties>"
        let text = try scene.folder.text("tests.xml")
        #expect(text.contains(property + Self.failure) && text.components(separatedBy: property).count == 2)
    }
}
