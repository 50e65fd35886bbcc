package import Foundation

/// Serves files for GET and HEAD, from a folder or from memory.
package struct StaticFiles: Sendable {
    private enum Content {
        case folder(URL)
        case memory([String: MemoryFile])
    }

    private let content: Content
    private let headers: [(String, String)]

    /// - Parameters:
    ///   - root: The folder; `/` answers with its `index.html`.
    ///   - headers: Sent with every file.
    package init(root: URL, headers: [(String, String)] = []) {
        content = .folder(root.resolvingSymlinksInPath().standardizedFileURL)
        self.headers = headers
    }

    /// - Parameters:
    ///   - files: Each file's content by its path, without a leading slash; `/` answers with `index.html`.
    ///   - headers: Sent with every file.
    package init(_ files: [String: [UInt8]], headers: [(String, String)] = []) {
        content = .memory(files.mapValues { MemoryFile($0) })
        self.headers = headers
    }

    /// Answers with the file at the path, or with 405 for other methods. False if no file exists there.
    package func handle(_ exchange: HTTPExchange) -> Bool {
        let request = exchange.request
        guard let (name, file) = file(at: request.path) else { return false }
        guard request.method == "GET" || request.method == "HEAD" else {
            exchange.respond(
                HTTPResponse(status: 405, "Files only support GET and HEAD.", headers: [("allow", "GET, HEAD")]))
            return true
        }
        var headers = headers
        headers.append(("etag", file.tag))
        // Always revalidated, which the tag makes cheap, so that a page never mixes files of two versions.
        if !headers.contains(where: { $0.0.lowercased() == "cache-control" }) {
            headers.append(("cache-control", "no-cache"))
        }
        if request.holds(file.tag) {
            exchange.respond(HTTPResponse(status: 304, headers: headers))
            return true
        }
        headers.append(("content-type", Self.type(of: name)))
        return file.send(exchange, headers)
    }

    private func file(at path: String) -> (name: String, file: any StaticFile)? {
        let parts = path.split(separator: "/").map(String.init) + (path.hasSuffix("/") ? ["index.html"] : [])
        guard path.hasPrefix("/"), !parts.contains(where: { $0.hasPrefix(".") || $0.contains("\\") }) else {
            return nil
        }
        switch content {
        case .folder(let root):
            guard let url = Self.url(parts, below: root) else { return nil }
            return FolderFile(url).map { (url.lastPathComponent, $0) }
        case .memory(let files): return files[parts.joined(separator: "/")].map { (parts.last ?? "", $0) }
        }
    }

    /// Nil for a path that leaves the root through a link.
    private static func url(_ parts: [String], below root: URL) -> URL? {
        let url = parts.reduce(root) { $0.appending(component: $1) }.resolvingSymlinksInPath().standardizedFileURL
        return url.path.hasPrefix(root.path == "/" ? "/" : root.path + "/") ? url : nil
    }

    private static func type(of name: String) -> String {
        types[(name as NSString).pathExtension.lowercased()] ?? "application/octet-stream"
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "json": "application/json", "map": "application/json",
        "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
        "webp": "image/webp", "ico": "image/x-icon", "woff2": "font/woff2", "txt": "text/plain; charset=utf-8",
        "md": "text/markdown; charset=utf-8", "webmanifest": "application/manifest+json",
        "wasm": "application/wasm",
        "tape": "application/x-ndjson",
    ]
}
