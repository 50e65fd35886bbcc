import Foundation
import TapeFormat
import Testing

@testable import StateTapeCommand

@Suite("export --format test", .timeLimit(.minutes(1)))
struct ReplayTestTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func export(_ arguments: String..., server: String? = nil) throws -> CommandProcess.Result {
        try CommandProcess.run(["export"] + arguments + ["--format", "test"], server: server) {
            $0.currentDirectoryURL = folder.url
        }
    }

    @Test("The test and its tape are written side by side")
    func pair() throws {
        try folder.write("coupon stays.tape", SampleTape.make(5))
        let result = try export("coupon stays.tape", "-o", "CouponTests.swift")
        #expect(
            result.status == 0
                && result.output.hasPrefix(
                    "Wrote CouponTests.swift and CouponTests.tape. In the test, replace each <#…#>."),
            "\(result.errors)")
        let source = try folder.text("CouponTests.swift")
        #expect(source.hasPrefix("import StateTapeTesting\nimport Testing\n"))
        // Above the test, Swift Testing would print the remarks with each failure.
        #expect(source.contains("\n@testable import <#App#>\n\n@Test func couponTests() {\n    // Replays session "))
        #expect(
            source.hasSuffix(
                """
                    // The tape belongs in the folder Tapes beside Package.swift; in Xcode, beside this file.
                    // The tape doesn't name all types: replace each <#…#> with a name of your app.
                    Replay("CouponTests.tape")
                        .verify(<#AppState#>.self, <#AppAction#>.self, reducer: <#appReducer#>)
                }

                """), "\(source)")
        #expect(try folder.text("CouponTests.tape") == folder.text("coupon stays.tape"))
    }

    @Test("A tape of several stores is verified store by store")
    func stores() throws {
        var header = Header(
            session: "01M8H7Q48FMQDP1CNJS4RB9XKM", app: .init(id: "ShopPackageTests.xctest"),
            started: "2026-11-20T10:00:00Z")
        header.labels = ["test": "removingTheLastItemTakesItsPriceBack"]
        header.types = ["main": .init(state: "Shop.AppState", action: "Shop.AppAction")]
        // The second one was attached later.
        let later: JSON = ["state": "Shop.LineItems", "action": "Shop.LineItemsAction"]
        let lines = ["main", "line items"].enumerated().map { seq, store in
            EventLine(
                seq: seq, at: 0, kind: .`init`, store: store,
                members: [("state", ["n": 0])] + (seq > 0 ? [("types", later)] : []))
        }
        try folder.write("shop.tape", Data(lines.reduce(into: header.json.bytes + [10]) { $0 += $1.bytes + [10] }))
        #expect(try export("shop.tape").status == 0)
        let source = try folder.text("shop.swift")
        #expect(source.contains("recorded by the test “removingTheLastItemTakesItsPriceBack”.\n"), "\(source)")
        for store in ["main", "line items"] {
            #expect(source.contains("    Replay(\"shop.tape\")\n        .store(\"\(store)\")\n"), "\(source)")
        }
        #expect(source.contains("@testable import Shop\n") && !source.contains("<#"), "\(source)")
        #expect(source.contains(".verify(AppState.self, AppAction.self, reducer: appReducer)"), "\(source)")
        #expect(source.contains(".verify(LineItems.self, LineItemsAction.self, reducer: lineItemsReducer)"))
        // The tape is in place already, and stays.
        #expect(try folder.names(".") == ["shop.swift", "shop.tape"])
    }

    @Test("The source asks for each secret that the tape lacks")
    func secrets() throws {
        let header = Header(session: "SESSION-0001", app: .init(id: "com.example"), started: "2026-11-20T10:00:00Z")
        let secret: JSON = ["token": ["$redacted": true]]
        let lines = [
            EventLine(seq: 0, at: 0, kind: .`init`, store: "main", members: [("state", ["n": 0])]),
            EventLine(
                seq: 1, at: 0, kind: .action, store: "main",
                members: [("action", ["type": "in", "payload": secret]), ("patch", [])]),
            EventLine(
                seq: 2, at: 0, kind: .action, store: "main",
                members: [("action", ["type": "in", "payload": secret]), ("patch", [])]),
        ]
        try folder.write("in.tape", Data(lines.reduce(into: header.json.bytes + [10]) { $0 += $1.bytes + [10] }))
        #expect(try export("in.tape").status == 0)
        let source = try folder.text("in.swift")
        #expect(source.contains("@Test func inReplay() {\n"))
        #expect(
            source.hasSuffix(
                """
                    // The tape lacks secrets. To replay their actions, replace .skippingSecrets() by
                    // .secret("/payload/token", VALUE)
                    Replay("in.tape")
                        .skippingSecrets()
                        .verify(<#AppState#>.self, <#AppAction#>.self, reducer: <#appReducer#>)
                }

                """), "\(source)")
    }

    @Test("No file is overwritten without -o, and never the exported tape by a part of it")
    func existing() throws {
        try folder.write("a.tape", SampleTape.make(5))
        try folder.write("a.swift", Data("mine".utf8))
        let refused = try export("a.tape")
        #expect(refused.status == 1 && refused.errors.contains("a.swift exists already"), "\(refused.errors)")
        let part = try export("a.tape", "-o", "a.swift", "--to", "2")
        #expect(part.status == 1 && part.errors.contains("a.tape is the tape that is exported"), "\(part.errors)")
        #expect(try folder.text("a.tape") == String(decoding: SampleTape.make(5), as: UTF8.self))
        #expect(try folder.text("a.swift") == "mine")
        for path in ["-", "a.txt", ".swift", "x/.swift"] {
            #expect(try export("a.tape", "-o", path).status == 64, "\(path)")
        }
        #expect(try export("a.tape", "-o", "b.swift", "--to", "2").status == 0)
        #expect(try folder.text("b.tape").split(separator: "\n").count == 4)
        try folder.write(
            "c.tape.gz", Data(contentsOf: CommandProcess.gzip(folder.url.appendingPathComponent("a.tape"))))
        try folder.write("c.tape", Data("mine".utf8))
        let both = try export("c.tape.gz")
        #expect(
            both.status == 1 && both.errors.contains("c.tape exists already; pass -o c.swift to overwrite it."),
            "\(both.errors)")
        try folder.write("c.swift", Data("mine".utf8))
        #expect(
            try export("c.tape.gz").errors.contains(
                "c.swift and c.tape exist already; pass -o c.swift to overwrite both."))
    }

    @Test("In a package the tape goes to the folder beside Package.swift, and never over another test's tape")
    func package() throws {
        try folder.write("Package.swift", Data())
        try folder.write("Tests/ATests/x.txt", Data())
        try folder.write("Tests/BTests/x.txt", Data())
        try folder.write("a.tape", SampleTape.make(5))
        let result = try export("a.tape", "-o", "Tests/ATests/Coupon.swift")
        #expect(result.output.contains("Wrote Tests/ATests/Coupon.swift and Tapes/Coupon.tape."))
        #expect(try folder.names("Tests/ATests") == ["Coupon.swift", "x.txt"])
        #expect(try folder.names("Tapes") == ["Coupon.tape"])
        #expect(try export("a.tape", "-o", "Tests/ATests/Coupon.swift", "--to", "2").status == 0)
        let other = try export("a.tape", "-o", "Tests/BTests/Coupon.swift")
        #expect(other.status == 1 && other.errors.contains("Tapes/Coupon.tape exists already, for another test"))
        #expect(try folder.text("Tapes/Coupon.tape").split(separator: "\n").count == 4)
    }

    @Test("A session of a server becomes a test, too")
    func session() throws {
        let server = try ServerProcess()
        _ = try server.run("import", folder.write("a.tape", SampleTape.make(5)))
        let result = try export(SampleTape.session, server: server.url)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try folder.text("\(SampleTape.session).swift").contains("Replay(\"\(SampleTape.session).tape\")"))
        #expect(try folder.names(".").contains("\(SampleTape.session).tape"))
    }

    @Test(
        "Names become valid Swift identifiers",
        arguments: [
            ("coupon stays", "couponStays"), ("run", "run"), ("2nd-run", "replay2ndRun"), ("", "replay"),
            ("class", "classReplay"), ("CouponTests", "couponTests"), ("ÄÖ", "äö"),
            ("оплата проходит", "оплатаПроходит"), ("a\"b\\(c)", "aBC"),
            ("ID", "id"), ("URL list", "urlList"),
        ])
    func identifiers(_ text: String, _ name: String) {
        #expect(ReplayTest.identifier(text) == name)
    }

    @Test("Text in the source is escaped")
    func literals() {
        #expect(ReplayTest.literal("a\"b\\(c)\n") == #""a\"b\\(c)\u{a}""#)
    }
}
