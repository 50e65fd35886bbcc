import Foundation

/// A change of a file: a range of bytes and what replaces it.
struct SourceEdit {
    let range: Range<Int>
    let text: String

    init(_ range: Range<Int>, _ text: String) {
        (self.range, self.text) = (range, text)
    }

    /// Inserts a text.
    init(_ offset: Int, _ text: String) { self.init(offset..<offset, text) }
}

extension SwiftSource {
    /// The file after edits, whose line breaks become those of the file. Edits at one place stay in their order.
    func applying(_ edits: [SourceEdit]) -> [UInt8] {
        var (result, place) = ([UInt8](), 0)
        let sorted = edits.enumerated().sorted {
            ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
        }
        for (_, edit) in sorted {
            result += bytes[place..<edit.range.lowerBound]
            result += edit.text.replacingOccurrences(of: "\n", with: lineBreak).utf8
            place = edit.range.upperBound
        }
        return result + bytes[place...]
    }
}

extension SwiftSource {
    /// The file's imports: the module, and the line of each.
    private var imports: [(module: String, place: Int)] {
        let words = #"(?m)^[ \t]*(?:(?:@[\w()]+|public|package|internal|fileprivate|private)[ \t]+)*import[ \t]+"#
        return matches(words + #"(?:(?:class|enum|func|let|protocol|struct|typealias|var)[ \t]+)?(\w+)"#).compactMap {
            match in match.groups[0].map { (code($0), $0.lowerBound) }
        }
    }

    func imports(_ module: String) -> Bool { imports.contains { $0.module == module } }

    /// The edit that imports a module, in the order of the alphabet; nil if the file imports it already.
    func importing(_ module: String) -> SourceEdit? {
        guard !imports(module) else { return nil }
        // An import in a condition doesn't concern this one.
        let condition = matches(#"(?m)^[ \t]*#if\b"#).first?.range.upperBound ?? .max
        let free = imports.prefix { $0.place < condition }
        if let next = free.first(where: { $0.module > module }) {
            return SourceEdit(lineStart(next.place), "import \(module)\n")
        }
        if let last = free.last { return SourceEdit(lineEnd(last.place), "\nimport \(module)") }
        // Before the first line of code; the head of the file may be a comment.
        let start = uncommented.firstIndex { !" \t\r\n".utf8.contains($0) } ?? 0
        return SourceEdit(lineStart(start), "import \(module)\n\n")
    }
}
