package import Foundation
import TapeSockets

/// The page's files: the built-in ones or those of a folder.
package struct Page: Sendable {
    /// A folder, or each file's content by its path.
    private enum Content {
        case folder(URL)
        case memory([String: [UInt8]])
    }

    #if WITHOUT_PAGE
        package static let builtIn = Page(content: .memory([:]))
    #else
        package static let builtIn = Page(
            content: .memory(EmbeddedPage.files.mapValues { $0.withUTF8Buffer { [UInt8]($0) } }))
    #endif

    private let content: Content

    private init(content: Content) {
        self.content = content
    }

    /// - Parameter folder: The folder with the page's `index.html`.
    package init(_ folder: URL) {
        content = .folder(folder.resolvingSymlinksInPath().standardizedFileURL)
    }

    var isBuiltIn: Bool { if case .memory = content { true } else { false } }

    /// The name for error messages.
    var name: String {
        switch content {
        case .folder(let folder): folder.path
        case .memory: "the built-in page"
        }
    }

    /// The sorted paths of all files.
    var paths: [String] {
        switch content {
        case .folder(let folder):
            (FileManager.default.subpaths(atPath: folder.path) ?? [])
                .filter { !$0.split(separator: "/").contains { $0.hasPrefix(".") } }.sorted()
        case .memory(let files): files.keys.sorted()
        }
    }

    /// The text of a file; nil if it doesn't exist.
    func text(_ path: String) -> String? {
        switch content {
        case .folder(let folder):
            (try? Data(contentsOf: folder.appendingPathComponent(path))).map { String(decoding: $0, as: UTF8.self) }
        case .memory(let files): files[path].map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// The texts of all files by their paths; nil for a folder.
    var texts: [String: String]? {
        guard case .memory(let files) = content else { return nil }
        return files.mapValues { String(decoding: $0, as: UTF8.self) }
    }

    /// A module that can't be packed is a fault that the tests find; the page works without.
    private func packed(_ files: [String: [UInt8]]) -> [String: [UInt8]] {
        texts.flatMap { try? PackedPage($0) }?.files.mapValues { Array($0.utf8) } ?? files
    }

    /// Serves the files; the built-in ones are packed.
    ///
    /// - Parameter headers: Sent with every file.
    func files(headers: [(String, String)]) -> StaticFiles {
        switch content {
        case .folder(let folder): StaticFiles(root: folder, headers: headers)
        case .memory(let files): StaticFiles(packed(files), headers: headers)
        }
    }
}
