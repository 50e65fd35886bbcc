import Foundation
import Testing

@testable import StateTapeCommand

@Suite("ci with a JUnit file", .timeLimit(.minutes(1)))
struct CIJUnitTests {
    private static let report = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE testsuites [<!ENTITY a "<testcase>">]>
        <testsuites>\t<!-- <testcase name="pays()"/> -->
          <testsuite name="TestResults" errors='0'  tests="3">\r
            <testcase classname="ShopTests.CheckoutTests" name="pays()" time="0.1" />
            <testcase classname="ShopTests.CheckoutTests" name="adds(_:)" time="0.1"><failure message="1 &gt; 2"></failure></testcase>
            <testcase classname="ShopTests.Other" name="pays()" time="0.1"><![CDATA[<testcase]]></testcase>
          </testsuite>
        </testsuites>

        """

    @Test("Links are added to the matching test cases; every other byte stays")
    func links() throws {
        var document = try JUnitDocument(Array(Self.report.utf8))
        document.add("a&b.html", toTest: "pays()", suite: "CheckoutTests")
        document.add("c.html", toTest: "adds", suite: "ShopTests/CheckoutTests")
        document.add("d.html", toTest: "none()", suite: "CheckoutTests")
        let property = "<properties><property name=\"statetape\" value="
        let expected = Self.report.replacing(
            "name=\"pays()\" time=\"0.1\" />",
            with: "name=\"pays()\" time=\"0.1\" >\(property)\"a&amp;b.html\"/></properties></testcase>"
        ).replacing("<failure", with: "\(property)\"c.html\"/></properties><failure")
        #expect(String(decoding: document.bytes, as: UTF8.self) == expected)
    }

    @Test("Properties that a test case has already are extended")
    func properties() throws {
        for (before, after) in [
            (
                "<properties><property name=\"a\"/></properties>",
                "<properties>NEW<property name=\"a\"/></properties>"
            ),
            ("<failure/>\n<properties />", "<failure/>\n<properties >NEW</properties>"),
            (
                "<system-out><properties/></system-out>",
                "<properties>NEW</properties><system-out><properties/></system-out>"
            ),
        ] {
            func file(_ content: String) -> String {
                "<testsuite><testcase name='a&#98;&amp;'>\(content)</testcase></testsuite>"
            }
            var document = try JUnitDocument(Array(file(before).utf8))
            document.add("x", toTest: "ab&", suite: nil)
            #expect(
                String(decoding: document.bytes, as: UTF8.self)
                    == file(after.replacing("NEW", with: "<property name=\"statetape\" value=\"x\"/>")))
        }
    }

    @Test(
        "A text that is no complete JUnit file is refused",
        arguments: [
            "", "text", "{}", "<html></html>", "<testsuites>", "<testsuites><testcase></testsuites>", "<testsuites",
            "<testsuites><!-- </testsuites>", "<testsuites a=\"></testsuites>", "</testsuites>", "<>", "<", "</",
            "<!", "<testsuite\"x\">", "<testsuite \"x\"></testsuite>", "<testsuites></testsuites\"x\">",
            "<\"\"\"\">", "<='x'>",
        ])
    func foreign(_ text: String) {
        #expect(throws: Failure.self) { try JUnitDocument(Array(text.utf8)) }
    }

    @Test("Whatever a report holds, it is read or refused")
    func anything() {
        // Knuth's generator: the same texts in each run.
        var seed: UInt64 = 3
        func below(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % bound
        }
        let parts = [
            "<testsuites>", "</testsuites>", "<testsuite", "<testcase ", "name=", "\"", "'", ">", "/>", "<", "</",
            "/", "=", " ", "\n", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "<!DOCTYPE a [", "]",
            "<properties>",
            "</properties>", "pays()", "&amp;", "&#x110000;", "&#;", "\u{0}", "é",
        ]
        for _ in 0..<20_000 {
            let text = (0..<below(20)).map { _ in parts[below(parts.count)] }.joined()
            guard var document = try? JUnitDocument(Array(text.utf8)) else { continue }
            document.add("x", toTest: "pays()", suite: nil)
            _ = document.bytes
        }
    }

    @Test("The file of the command and its companion for Swift Testing get links")
    func command() throws {
        let scene = try CIScene()
        try scene.leave("1.tape", CIScene.tape("SESSION-0001", test: "pays()", .outcome("failed")))
        try scene.folder.write("report", Data(Self.report.utf8))
        let result = try scene.run(
            ["--junit", "out.v1/tests.xml"],
            script: "mkdir out.v1; cp report out.v1/tests.xml; cp report out.v1/tests-swift-testing.xml; exit 1")
        #expect(result.status == 1 && !result.errors.contains("warning"), "\(result.errors)")
        for name in ["out.v1/tests.xml", "out.v1/tests-swift-testing.xml"] {
            let text = try scene.folder.text(name)
            #expect(text.contains("value=\"./statetape-ci/CheckoutTests-pays.html\""))
            #expect(text.count { $0 == "\n" } == Self.report.count { $0 == "\n" })
        }
    }

    @Test("If the command fails, and a failing test is in none of its files, one warning says so")
    func missing() throws {
        let scene = try CIScene()
        for (number, test) in ["pays()", "ships()", "waits()", "refunds()", "returns()"].enumerated() {
            try scene.leave(
                "\(number).tape", CIScene.tape("SESSION-000\(number)", test: test, .outcome("failed")))
        }
        func report(_ tests: String...) -> String {
            "<testsuites><testsuite>"
                + tests.map { "<testcase classname=\"ShopTests.CheckoutTests\" name=\"\($0)()\"/>" }.joined()
                + "</testsuite></testsuites>"
        }
        try scene.folder.write("all", Data(report("pays", "ships", "waits", "refunds", "returns").utf8))
        try scene.folder.write("most", Data(report("pays", "ships", "waits", "returns").utf8))
        try scene.folder.write("rest", Data(report("refunds").utf8))
        try scene.folder.write("none", Data(report("other").utf8))
        for (script, warning) in [
            ("cp all a.xml; exit 1", nil), ("cp most a.xml; cp rest a-swift-testing.xml; exit 1", nil),
            ("cp none a.xml", nil),
            ("cp most a.xml; exit 1", "a.xml has no case for CheckoutTests/refunds(): it got no link."),
            (
                "cp none a.xml; cp rest a-swift-testing.xml; exit 1",
                "a.xml and a-swift-testing.xml have no case for CheckoutTests/pays(), CheckoutTests/returns(),"
                    + " CheckoutTests/ships() and 1 more: they got no links."
            ),
            ("exit 1", "a.xml doesn't exist: the command didn't write it."),
            ("cp all a.xml; echo x > a-swift-testing.xml; exit 1", "a-swift-testing.xml got no links: "),
        ] as [(String, String?)] {
            for name in ["a.xml", "a-swift-testing.xml"] {
                try? FileManager.default.removeItem(atPath: scene.folder.path(name))
            }
            let result = try scene.run(["--junit", "a.xml"], script: script)
            let warnings = result.errors.split(separator: "\n").filter { $0.contains("warning: ") }
            #expect(warnings.count == (warning == nil ? 0 : 1), "\(script): \(result.errors)")
            #expect(
                warning.map { warnings.first?.hasPrefix("statetape: warning: \($0)") } ?? true == true,
                "\(script): \(result.errors)")
        }
    }

    @Test("A missing, foreign or older file is a warning that names it, and stays as it is")
    func problems() throws {
        let scene = try CIScene()
        try scene.leave("1.tape", CIScene.tape("SESSION-0001", test: "pays()", .outcome("failed")))
        try scene.folder.write("old.xml", Data(Self.report.utf8))
        for (name, script, reason) in [
            ("none.xml", "", "warning: none.xml doesn't exist"),
            ("old.xml", "", "warning: old.xml got no links: the command didn't write it."),
            ("new.xml", "echo '<html/>' > new.xml", "warning: new.xml got no links: it is not a JUnit XML file"),
            (
                "cut.xml", "head -c 300 old.xml > cut.xml",
                "warning: cut.xml got no links: it is not a JUnit XML file"
            ),
        ] {
            let result = try scene.run(["--junit", name], script: script + "\nexit 5")
            #expect(result.status == 5 && result.errors.contains(reason), "\(result.errors)")
        }
        try scene.folder.write("old-swift-testing.xml", Data(Self.report.utf8))
        #expect(try scene.run(["--junit", "old.xml"]).errors.contains("warning: old.xml got no links"))
        #expect(try scene.folder.text("old.xml") == Self.report)
        #expect(try scene.folder.text("new.xml") == "<html/>\n")
    }
}
