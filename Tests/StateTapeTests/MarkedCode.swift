import Foundation

/// The code that stands in tests and is shown in articles.
enum MarkedCode {
    static let tests = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    static let root = tests.deletingLastPathComponent().deletingLastPathComponent()

    /// The Swift files of a folder beside this file.
    static func files(in folder: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: tests.appendingPathComponent(folder), includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "swift" }
    }

    /// The code of a file between a mark and `// end`, without its indentation, and what follows the mark.
    static func parts(of file: URL, mark: String) throws -> [(name: String, code: String)] {
        var parts: [(name: String, code: String)] = []
        var part: (name: String, lines: [Substring])?
        let text = try String(contentsOf: file, encoding: .utf8)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix(mark) {
                part = (String(text.dropFirst(mark.count)), [])
            } else if text == "// end", let found = part {
                let indentation = found.lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min()
                let code = found.lines.map { $0.dropFirst(indentation ?? 0) }.joined(separator: "\n")
                parts.append((found.name, code))
                part = nil
            } else {
                part?.lines.append(line)
            }
        }
        return parts
    }

    /// The Swift code of a text, block by block.
    static func blocks(_ path: String) throws -> [String] {
        let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        return text.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }
}
