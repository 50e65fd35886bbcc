import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeEngine

@Suite("The page as one file")
struct OnePageTests {
    private let temporaryFolder = TemporaryFolder()
    private var folder: URL { temporaryFolder.url }

    private static let index = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'self'">
        <link rel="icon" href="icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="app.css">
        <script type="module" src="main.js"></script>
        <link rel="modulepreload" href="views/a.js">
        </head>
        <body>
        <img src="icon.svg" alt="">
        </body>
        </html>
        """

    init() throws {
        try write("index.html", Self.index)
        try write("icon.svg", "<svg/>")
        try write("app.css", "body { margin: 0 }")
        try write("views/late.css", "p { margin: 1px }")
        try write("main.js", "import './views/a.js'; // </script><!--\u{2028}")
        try write("views/a.js", "export const a = '<b>';")
        try write("onefile.js", "start();")
        try write(".hidden/b.js", "no")
    }

    private func write(_ path: String, _ text: String) throws {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func make(_ pieces: [[UInt8]], name: String = "run.tape") throws -> String {
        var file = try OnePageFile(OnePage(Page(folder)), name: name)
        var rest = pieces[...]
        var bytes: [UInt8] = []
        while let piece = try file.piece({ rest.popFirst() }) { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text of an element.
    private func content(_ page: String, _ start: String, _ end: String = "</script>") throws -> String {
        let from = try #require(page.range(of: start)?.upperBound)
        let begin = try #require(page[from...].firstIndex(of: ">"))
        let to = try #require(page[begin...].range(of: end)?.lowerBound)
        return String(page[page.index(after: begin)..<to])
    }

    @Test("The file contains all parts, and requests none")
    func parts() throws {
        let page = try make([Array("{}\n".utf8)])
        let modules = try JSON(parsing: content(page, "<script id=\"modules\""))
        #expect(modules.object?.map(\.key) == ["main.js", "views/a.js"])
        #expect(modules["main.js"] == .string("import './views/a.js'; // </script><!--\u{2028}"))
        #expect(page.contains("<style data-style=\"app.css\">body { margin: 0 }</style>"))
        #expect(page.contains("<style data-style=\"views/late.css\">p { margin: 1px }</style>"))
        #expect(!page.contains("href=\"app.css\"") && !page.contains("src=\"main.js\""))
        #expect(!page.contains("modulepreload") && !page.contains("\"icon.svg\""))
        #expect(page.hasSuffix("</body>\n</html>"))
    }

    @Test("Bookmarks are embedded as data, whatever their text is")
    func bookmarks() throws {
        let marks: JSON = ["session": "one", "all": [["n": 1, "seq": 2, "text": "</script><script>no()"]]]
        var file = try OnePageFile(OnePage(Page(folder)), name: "run.tape", bookmarks: marks)
        let page = String(decoding: try #require(try file.piece { nil }), as: UTF8.self)
        #expect(try JSON(parsing: content(page, "<script id=\"tape-bookmarks\"")) == marks)
        #expect(!page.contains("<script>no()"))
        #expect(try !make([[1]]).contains("tape-bookmarks"))
    }

    @Test("The policy has the digests of the script and the styles, and comes before them")
    func policy() throws {
        let page = try make([[1]])
        func digest(_ text: String) -> String {
            "'sha256-\(Data(SHA256.hash(text)).base64EncodedString())'"
        }
        let policy = try #require(page.range(of: "default-src 'none'"))
        #expect(page.components(separatedBy: "Content-Security-Policy").count == 2)
        #expect(page.contains("script-src \(digest("start();")) blob:;"))
        #expect(page.contains("style-src \(digest("body { margin: 0 }")) \(digest("p { margin: 1px }"));"))
        #expect(try policy.lowerBound < #require(page.range(of: "<style")).lowerBound)
        #expect(!page.contains("connect-src"))
    }

    @Test("The tape is base64 of a gzip file, however the pieces are cut", arguments: [1, 2, 3, 7, 1_000, 300_000])
    func tape(_ size: Int) throws {
        let tape = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
        let pieces = stride(from: 0, to: min(tape.count, size * 5_000), by: size).map {
            Array(tape[$0..<min($0 + size, tape.count)])
        }
        let base64 = try content(make(pieces), "<script id=\"tape\"")
        let packed = try #require(Data(base64Encoded: base64))
        var unpacked: [UInt8] = []
        try Gunzip(limit: 1 << 20).unpack(Array(packed)) { unpacked += $0 }
        #expect(unpacked == Array(pieces.joined()))
    }

    @Test("The tape's name is escaped")
    func name() throws {
        let page = try make([[7, 8, 9]], name: "a\"<b>&.tape")
        #expect(page.contains("data-name=\"a&quot;&lt;b&gt;&amp;.tape\""))
    }

    @Test("An incomplete page is an error")
    func noPage() throws {
        #expect(throws: OnePage.Failure.self) { try OnePage(Page(folder.appendingPathComponent("views"))) }
        try write("app.css", "p::after { content: '</style>' }")
        #expect(throws: OnePage.Failure.self) { try OnePage(Page(folder)) }
    }
}
