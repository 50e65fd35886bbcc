import Foundation

/// Writes the files of a folder into a Swift source file: `PagePacker FOLDER OUTPUT`.
@main
enum PagePacker {
    static func main() throws {
        guard CommandLine.arguments.count == 3 else { throw Failure(description: "usage: PagePacker FOLDER OUTPUT") }
        let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
        let paths = (FileManager.default.subpaths(atPath: folder.path) ?? []).sorted()
        var source = """
            /// The files of the page, by their paths.
            enum EmbeddedPage {
                static let files: [String: StaticString] = [

            """
        for path in paths where !path.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
            let file = folder.appendingPathComponent(path)
            guard (try? file.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true else { continue }
            source += "    \(literal(path)): \(try text(of: file)),\n"
        }
        source += "    ]\n}\n"
        let output = URL(fileURLWithPath: CommandLine.arguments[2])
        // A new time would compile the server again, which takes minutes: each link of this tool runs it again.
        guard (try? Data(contentsOf: output)) != Data(source.utf8) else { return }
        try Data(source.utf8).write(to: output)
    }

    private static func text(of file: URL) throws -> String {
        guard let text = String(data: try Data(contentsOf: file), encoding: .utf8) else {
            throw Failure(description: "\(file.path) is not UTF-8 text, and only text can be embedded")
        }
        return literal(text)
    }

    private static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\\(scalar)"
            case "\n": literal += "\\n"
            case _ where scalar.value < 32 || scalar.value == 127:
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
