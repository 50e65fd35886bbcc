import Foundation
import Testing

@Suite("Text of the recipes")
struct RecipeTextTests {
    private static func recipes() throws -> [String: String] {
        let parts = try MarkedCode.files(in: "Recipes").flatMap { try MarkedCode.parts(of: $0, mark: "// recipe: ") }
        return Dictionary(uniqueKeysWithValues: parts.map { ($0.name, $0.code) })
    }

    @Test("The article shows all of them, word for word, and nothing else")
    func article() throws {
        let (recipes, blocks) = (
            try Self.recipes(), try MarkedCode.blocks("Sources/StateTape/StateTape.docc/Recipes.md")
        )
        #expect(recipes.count == 17)
        #expect(blocks.sorted() == recipes.values.sorted())
    }

    @Test("README shows the recipe of StateTapeStore, word for word")
    func readme() throws {
        let (recipes, blocks) = (try Self.recipes(), try MarkedCode.blocks("README.md"))
        #expect(blocks.contains(try #require(recipes["own store"])))
    }
}
