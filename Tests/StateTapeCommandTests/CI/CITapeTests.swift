import Foundation
import TapeFormat
import Testing

@testable import StateTapeCommand

@Suite("The tapes that ci keeps", .timeLimit(.minutes(1)))
struct CITapeTests {
    private let scene: CIScene

    init() throws {
        scene = try CIScene()
    }

    @Test("Failed and crashed tests get a page, their tape and a row; passing ones don't")
    func kinds() throws {
        try scene.leave(
            "1.tape",
            CIScene.tape("SESSION-0001", test: "pays()", .outcome("failed"), errors: ["Not paid", "Second"]))
        try scene.leave("2.tape", CIScene.tape("SESSION-0002", test: "crashes()", .died).dropLast(5))
        try scene.leave("3.tape", CIScene.tape("SESSION-0003", test: "passes()", .outcome("passed")))
        try scene.leave("4.tape", CIScene.tape("SESSION-0004", test: nil, .ended))
        try scene.leave("5.tape", CIScene.tape("SESSION-0005", test: nil, .ended, errors: ["In the app"]))
        try scene.leave("6.tape", CIScene.tape("SESSION-0006", test: nil, .died))
        let result = try scene.run(script: "exit 1")
        #expect(result.status == 1)
        #expect(
            try scene.output() == [
                "CheckoutTests-crashes.html", "CheckoutTests-crashes.tape", "CheckoutTests-pays.html",
                "CheckoutTests-pays.tape", "com-example-shop-2.html", "com-example-shop-2.tape",
                "com-example-shop.html", "com-example-shop.tape", "index.html",
            ])
        let lines = result.errors.split(separator: "\n")
        #expect(lines.count == 5, "\(result.errors)")
        for line in [
            "statetape: CheckoutTests/pays() failed: Not paid – ./statetape-ci/CheckoutTests-pays.html",
            "statetape: CheckoutTests/crashes() crashed: The process ended in the test."
                + " – ./statetape-ci/CheckoutTests-crashes.html",
            "statetape: 4 failing tests left a tape. See ./statetape-ci/index.html",
        ] { #expect(lines.contains(Substring(line)), "\(line) in \(result.errors)") }
        let index = try scene.index
        #expect(index.contains("<span>Not paid</span>") && !index.contains("passes()"))
        #expect(index.contains("href=\"CheckoutTests-pays.html?session=SESSION-0001&amp;event=2\""))
        #expect(index.contains("<code>#1 cart/add</code>"))
        let tape = try scene.folder.text("statetape-ci/CheckoutTests-pays.tape")
        #expect(tape == (try scene.folder.text("prepared/1.tape")))
    }

    @Test("A test named in another script has files of its name")
    func scripts() throws {
        try scene.leave(
            "1.tape", CIScene.tape("SESSION-0001", test: "Оплата проходит", suite: "支付", .outcome("failed")))
        let result = try scene.run(script: "exit 1")
        #expect(try scene.output() == ["index.html", "支付-Оплата-проходит.html", "支付-Оплата-проходит.tape"])
        #expect(result.errors.contains("./statetape-ci/支付-Оплата-проходит.html"))
        #expect(try scene.index.contains("href=\"支付-Оплата-проходит.html?session=SESSION-0001&amp;event=2\""))
    }

    @Test("--keep-passing keeps the tapes of passing tests, without a page")
    func passing() throws {
        try scene.leave("3.tape", CIScene.tape("SESSION-0003", test: "passes()", .outcome("passed")))
        let result = try scene.run(["--keep-passing"])
        #expect(try scene.output() == ["CheckoutTests-passes.tape", "index.html"])
        #expect(result.errors.contains("No test failed. Passing tapes kept: 1."))
    }

    @Test("Sessions of the private server are collected, but not those that also have a file")
    func sessions() throws {
        let command = CommandProcess.executable.path
        try scene.leave("a.tape", CIScene.tape("SESSION-0001", test: "pays()", .outcome("failed"), errors: ["No"]))
        try scene.folder.write("b.tape", CIScene.tape("SESSION-0002", test: nil, .died))
        let result = try scene.run(script: "'\(command)' import prepared/a.tape b.tape")
        #expect(result.status == 0 && result.output.contains("SESSION-0002 2 new events"), "\(result.errors)")
        #expect(
            try scene.output() == [
                "CheckoutTests-pays.html", "CheckoutTests-pays.tape", "com-example-shop.html",
                "com-example-shop.tape",
                "index.html",
            ])
    }

    @Test("An invalid tape is kept, and listed with the reason")
    func unreadable() throws {
        try scene.leave("empty.tape", Data())
        try scene.leave("bad.tape", SampleTape.make(3) + Data("{}\n".utf8))
        let result = try scene.run()
        #expect(result.status == 0)
        #expect(
            result.errors.contains("bad.tape is unreadable: The tape can't be read: bad.tape: line 5: member “seq”")
        )
        #expect(result.errors.contains("empty.tape is neither a tape"))
        #expect(try scene.output() == ["bad.tape", "empty.tape", "index.html"])
    }

    @Test("Hostile names become safe file names, and text in the page, the summary and the annotations")
    func hostile() throws {
        let names = [
            "<script>alert(1)</script>", "a | b\nc", "../../etc/passwd", "..", "/", "\u{1b}[31mred", "index",
            ".hidden",
            "купон", String(repeating: "x", count: 300), "CON\"onload='x",
        ]
        for (number, name) in names.enumerated() {
            try scene.leave(
                "\(number).tape",
                CIScene.tape(
                    "SESSION-00\(10 + number)", test: name, suite: nil, .outcome("failed"),
                    errors: ["<img src=x> | `code`\r\n::error::fake % Checkout Tests.swift:7"]))
        }
        let summary = scene.folder.path("summary.md")
        let result = try scene.run(environment: ["GITHUB_STEP_SUMMARY": summary, "GITHUB_ACTIONS": "true"])
        #expect(result.status == 0)
        let output = try scene.output()
        #expect(output.count == 2 * names.count + 1, "\(output)")
        #expect(output.allSatisfy { $0.wholeMatch(of: /[\p{L}\p{N}_-]{1,110}\.(html|tape)/) != nil }, "\(output)")
        #expect(
            output.contains("index-2.html") && output.contains("etc-passwd.html") && output.contains("test.html"))
        let index = try scene.index
        #expect(!index.contains("<script") && !index.contains("<img"))
        #expect(index.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
        #expect(index.contains("default-src 'none'"))
        #expect(!result.errors.contains("\u{1b}"))
        #expect(result.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("statetape: ") })
        let rows = try scene.folder.text("summary.md").split(separator: "\n").filter { $0.hasPrefix("| ") }
        #expect(rows.count == names.count + 2)
        #expect(rows.allSatisfy { $0.count { $0 == "|" } == 7 }, "\(rows)")
        #expect(!rows.joined().contains("<"))
        let annotations = result.output.split(whereSeparator: \.isNewline)
        #expect(annotations.count == names.count)
        #expect(
            annotations.allSatisfy { $0.hasPrefix("::error file=Tests.swift,line=7,title=") }, "\(annotations)")
        #expect(annotations.contains { $0.contains("title=a | b c::<img src=x> | `code`%0D%0A::error::fake %25 ") })
    }
}

@Suite("The output folder of ci", .timeLimit(.minutes(1)))
struct CIOutputTests {
    private let scene: CIScene

    init() throws {
        scene = try CIScene()
    }

    @Test("A folder with other files is refused, and the command doesn't run")
    func foreign() throws {
        try scene.folder.write("out/notes.txt", Data("mine".utf8))
        let result = try scene.run(["--output", "out"], script: "echo ran")
        #expect(result.status == 1 && result.output.isEmpty, "\(result.output)")
        #expect(result.errors.contains("The folder out has files that `statetape ci` didn't write."))
        #expect(try scene.folder.names("out") == ["notes.txt"])
        let file = try scene.run(["--output", "out/notes.txt"], script: "echo ran")
        #expect(file.status == 1 && file.errors.contains("out/notes.txt can't be written"), "\(file.errors)")
    }

    @Test("The next run replaces the files of the earlier one, and no others")
    func again() throws {
        try scene.leave("1.tape", CIScene.tape("SESSION-0001", test: "pays()", .outcome("failed")))
        _ = try scene.run()
        try scene.folder.write("statetape-ci/notes.txt", Data("mine".utf8))
        try scene.folder.write("statetape-ci/CheckoutTests-adds.tape", Data("mine".utf8))
        try FileManager.default.removeItem(atPath: scene.folder.path("prepared/1.tape"))
        try scene.leave("2.tape", CIScene.tape("SESSION-0002", test: "adds()", .outcome("failed")))
        #expect(try scene.run().status == 0)
        #expect(
            try scene.output() == [
                "CheckoutTests-adds-2.html", "CheckoutTests-adds-2.tape", "CheckoutTests-adds.tape", "index.html",
                "notes.txt",
            ])
        #expect(try scene.folder.text("statetape-ci/CheckoutTests-adds.tape") == "mine")
    }

    @Test("A marker that names files elsewhere removes none of them")
    func marker() throws {
        try scene.folder.write("mine.txt", Data("mine".utf8))
        _ = try scene.run()
        let marker = try scene.folder.text("statetape-ci/.statetape-ci")
        try scene.folder.write("statetape-ci/.statetape-ci", Data((marker + "../mine.txt\n..\n/etc/hosts\n").utf8))
        #expect(try scene.run().status == 0)
        #expect(try scene.folder.text("mine.txt") == "mine")
        try scene.folder.write("statetape-ci/.statetape-ci", Data("something else\n".utf8))
        let refused = try scene.run()
        #expect(
            refused.status == 1 && refused.errors.contains("wasn't written by `statetape ci`"), "\(refused.errors)")
    }

    @Test("An index.html that ci didn't write is left alone")
    func index() throws {
        _ = try scene.run()
        try scene.folder.write(
            "statetape-ci/.statetape-ci", Data("Files of `statetape ci`, which its next run replaces:\n".utf8))
        try scene.folder.write("statetape-ci/index.html", Data("mine".utf8))
        let refused = try scene.run()
        #expect(
            refused.status == 1 && refused.errors.contains("was not written by an earlier run"), "\(refused.errors)"
        )
        #expect(try scene.index == "mine")
    }
}
