import Foundation
import Testing

@Suite("Text of the recipes")
struct RecipeTextTests {
    private static let tests = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    private static let root = tests.deletingLastPathComponent().deletingLastPathComponent()

    /// The code between the marks of the recipe files, by name, without its indentation.
    private static func recipes() throws -> [String: String] {
        let folder = tests.appendingPathComponent("Recipes")
        var recipes: [String: String] = [:]
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where file.pathExtension == "swift" {
            var recipe: (name: String, lines: [Substring])?
            for line in try String(contentsOf: file, encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false)
            {
                let text = line.trimmingCharacters(in: .whitespaces)
                if text.hasPrefix("// recipe: ") {
                    recipe = (String(text.dropFirst("// recipe: ".count)), [])
                } else if text == "// end", let found = recipe {
                    let indentation = found.lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min()
                    let lines = found.lines.map { $0.dropFirst(indentation ?? 0) }
                    recipes[found.name] = lines.joined(separator: "\n")
                    recipe = nil
                } else {
                    recipe?.lines.append(line)
                }
            }
        }
        return recipes
    }

    /// The Swift code of a text, block by block.
    private static func blocks(_ path: String) throws -> [String] {
        let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        return text.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    @Test("The article shows all of them, word for word, and nothing else")
    func article() throws {
        let (recipes, blocks) = (
            try Self.recipes(), try Self.blocks("Sources/StateTape/StateTape.docc/Recipes.md")
        )
        #expect(recipes.count == 16)
        #expect(blocks.sorted() == recipes.values.sorted())
    }

    @Test("README shows the recipe of StateTapeStore, word for word")
    func readme() throws {
        let (recipes, blocks) = (try Self.recipes(), try Self.blocks("README.md"))
        #expect(blocks.contains(try #require(recipes["own store"])))
    }
}
