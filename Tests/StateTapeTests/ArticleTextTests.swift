import Foundation
import Testing

@Suite("Text of the articles")
struct ArticleTextTests {
    private static let folder = "Sources/StateTapeStore/StateTapeStore.docc"

    @Test("Each article shows the code of its file, in order, word for word, and nothing else")
    func code() throws {
        let articles = try FileManager.default
            .contentsOfDirectory(atPath: MarkedCode.root.appendingPathComponent(Self.folder).path)
            .filter { $0.hasSuffix(".md") && $0 != "StateTapeStore.md" }
        #expect(articles.count == 6)
        for article in articles {
            let file = MarkedCode.tests.appendingPathComponent("Articles/\(article.dropLast(3)).swift")
            let code = try MarkedCode.parts(of: file, mark: "// snippet").map(\.code)
            #expect(try MarkedCode.blocks("\(Self.folder)/\(article)") == code, "\(article)")
        }
    }
}
