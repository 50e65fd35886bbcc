import Foundation
import TapeArchive
package import TapeFormat

/// The page as one HTML file with all its parts and a tape. It opens from a disk and makes no requests.
///
/// Its modules are embedded as data, for which a small script (`web/onefile.js`) creates URLs. The file's content
/// security policy lists the digests of that script and the styles. So nothing else runs, whatever the tape contains.
package struct OnePage: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private static let starter = "onefile.js"
    /// Made once: each export has it.
    private static let builtIn = Result { () throws(Failure) in try OnePage(.builtIn) }

    private let beforeTape: String
    private let afterTape: String

    /// Reads the page's files, which may be changed in a folder meanwhile.
    ///
    /// - Throws: ``Failure`` if the files are not the page.
    package static func of(_ page: Page) throws(Failure) -> OnePage {
        page.isBuiltIn ? try builtIn.get() : try OnePage(page)
    }

    init(_ page: Page) throws(Failure) {
        let files = page.paths
        func text(_ path: String) throws(Failure) -> String {
            guard let text = page.text(path) else { throw Failure(description: "\(page.name) has no \(path)") }
            return text
        }
        let lines = try text("index.html").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let linked = lines.compactMap { Self.attribute("href", of: $0, "<link rel=\"stylesheet\"") }
        let sheets = linked + files.filter { $0.hasSuffix(".css") && !linked.contains($0) }
        var styles: [(path: String, text: String)] = []
        for path in sheets { styles.append((path, try text(path))) }
        var modules = JSON.Object()
        for path in files where path.hasSuffix(".js") && path != Self.starter {
            modules[path] = .string(try text(path))
        }
        let starter = try text(Self.starter)
        let icon = "data:image/svg+xml;base64," + Data(try text("icon.svg").utf8).base64EncodedString()
        guard let head = lines.firstIndex(of: "</head>"), let end = lines.firstIndex(of: "</body>"),
            !(styles.map(\.text) + [starter]).contains(where: { $0.contains("</s") })
        else { throw Failure(description: "\(page.name) can't be put into one file") }

        let policy = Self.policy(starter, styles.map(\.text))
        func kept(_ lines: ArraySlice<String>) -> [String] {
            lines.filter { line in
                !["<link rel=\"stylesheet\"", "<link rel=\"modulepreload\"", "<script ", "<meta http-equiv"]
                    .contains { line.hasPrefix($0) }
            }.map { $0.replacingOccurrences(of: "\"icon.svg\"", with: "\"\(icon)\"") }
        }
        // The policy must come before everything that it applies to.
        let first = kept(lines[..<head])
        let start = (first.firstIndex { $0.hasPrefix("<meta charset") } ?? 0) + 1
        beforeTape =
            (first[..<start] + ["<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">"]
            + first[start...]
            + styles.map { "<style data-style=\"\($0.path)\">\($0.text)</style>" }
            + kept(lines[head..<end])
            + [Self.data("modules", "application/json", JSON.object(modules).text), ""])
            .joined(separator: "\n")
        afterTape = "</script>\n<script>\(starter)</script>\n" + lines[end...].joined(separator: "\n")
    }

    /// The part before the tape; the tape follows as base64 of a gzip file.
    ///
    /// - Parameters:
    ///   - name: The tape's name.
    ///   - bookmarks: The initial bookmarks, as `{"session":"…","all":[…]}`.
    package func head(_ name: String, bookmarks: JSON?) -> [UInt8] {
        let marks = bookmarks.map { Self.data("tape-bookmarks", "application/json", $0.text) + "\n" } ?? ""
        let tape = "<script id=\"tape\" type=\"application/gzip\" data-name=\"\(Self.escaped(name))\">"
        return Array((beforeTape + marks + tape).utf8)
    }

    /// The part after the tape.
    package var tail: [UInt8] { Array(afterTape.utf8) }

    /// Allows only the file's own parts, and no connections.
    private static func policy(_ starter: String, _ styles: [String]) -> String {
        func digests(_ texts: [String]) -> String {
            texts.map { "'sha256-\(SHA256.base64($0))'" }.joined(separator: " ")
        }
        return """
            default-src 'none'; script-src \(digests([starter])) blob:; worker-src blob:; \
            style-src \(digests(styles)); img-src data:; base-uri 'none'; form-action 'none'
            """
    }

    /// An element with data that isn't run. Escapes `<`, which could end the element.
    private static func data(_ id: String, _ type: String, _ json: String) -> String {
        let safe = json.replacingOccurrences(of: "<", with: "\\u003c")
        return "<script id=\"\(id)\" type=\"\(type)\">\(safe)</script>"
    }

    private static func attribute(_ name: String, of line: String, _ start: String) -> String? {
        guard line.hasPrefix(start), let from = line.range(of: "\(name)=\"")?.upperBound,
            let to = line[from...].firstIndex(of: "\"")
        else { return nil }
        return String(line[from..<to])
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "\"", with: "&quot;")
            .replacingOccurrences(of: "<", with: "&lt;").replacingOccurrences(of: ">", with: "&gt;")
    }
}

/// A ``OnePage`` with its tape, written piece by piece.
package struct OnePageFile {
    private enum Stage { case head, tape, end }

    private let page: OnePage
    private let name: String
    private let bookmarks: JSON?
    private let gzip: Gzip
    private var stage = Stage.head
    /// Up to two bytes that wait for a complete base64 group.
    private var rest: [UInt8] = []

    /// - Parameters:
    ///   - name: The tape's name.
    ///   - bookmarks: As in ``OnePage/head(_:bookmarks:)``.
    package init(_ page: OnePage, name: String, bookmarks: JSON? = nil) throws {
        self.page = page
        self.name = name
        self.bookmarks = bookmarks
        gzip = try Gzip(level: 6)
    }

    /// The next piece of the file; nil after its end.
    ///
    /// - Parameter tape: Returns the next piece of the tape; nil after its end.
    package mutating func piece(_ tape: () throws -> [UInt8]?) throws -> [UInt8]? {
        switch stage {
        case .head:
            stage = .tape
            return page.head(name, bookmarks: bookmarks)
        case .tape:
            while let piece = try tape() {
                rest += try gzip.add(piece, isLast: false)
                let whole = rest.count / 3 * 3
                guard whole > 0 else { continue }
                defer { rest.removeFirst(whole) }
                return Array(Data(rest[..<whole]).base64EncodedData())
            }
            rest += try gzip.add([], isLast: true)
            stage = .end
            return Array(Data(rest).base64EncodedData()) + page.tail
        case .end: return nil
        }
    }
}
