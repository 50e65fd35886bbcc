#if Server
    package import Foundation

    /// The files below a folder, over GET and HEAD.
    package struct StaticFiles: Sendable {
        private let root: URL
        private let headers: [(String, String)]

        /// - Parameters:
        ///   - root: The folder; `/` answers with its `index.html`.
        ///   - headers: Sent with every file.
        package init(root: URL, headers: [(String, String)] = []) {
            self.root = root.resolvingSymlinksInPath().standardizedFileURL
            self.headers = headers
        }

        /// Answers if the path is a file below the root, with 405 if the method is another; false if there is none.
        package func handle(_ exchange: HTTPExchange) -> Bool {
            let request = exchange.request
            guard let url = file(at: request.path), let facts = FileFacts(url) else { return false }
            guard request.method == "GET" || request.method == "HEAD" else {
                exchange.respond(
                    HTTPResponse(status: 405, "A file can only be read.", headers: [("allow", "GET, HEAD")]))
                return true
            }
            var headers = headers
            headers.append(("etag", facts.tag))
            // Asked again each time, which the tag makes cheap, so that a page never mixes files of two versions.
            if !headers.contains(where: { $0.0.lowercased() == "cache-control" }) {
                headers.append(("cache-control", "no-cache"))
            }
            if request.holds(facts.tag) {
                exchange.respond(HTTPResponse(status: 304, headers: headers))
                return true
            }
            guard let handle = try? FileHandle(forReadingFrom: url) else { return false }
            headers += [("content-type", Self.type(of: url)), ("content-length", "\(facts.size)")]
            let rest = Locked(facts.size)
            exchange.stream(status: 200, headers: headers) {
                let wanted = rest.withLock { min($0, 64 << 10) }
                guard wanted > 0 else { return nil }
                // Whoever shortens the file meanwhile gets a body that breaks off.
                guard let piece = try handle.read(upToCount: wanted), !piece.isEmpty else {
                    throw CocoaError(.fileReadUnknown)
                }
                rest.withLock { $0 -= piece.count }
                return [UInt8](piece)
            }
            return true
        }

        /// Nil for a path that leaves the root, by its own dots or through a link.
        private func file(at path: String) -> URL? {
            let parts = path.split(separator: "/")
            guard path.hasPrefix("/"), !parts.contains(where: { $0.hasPrefix(".") || $0.contains("\\") }) else {
                return nil
            }
            var url = root
            for part in parts { url.append(component: String(part)) }
            if path.hasSuffix("/") { url.append(component: "index.html") }
            let resolved = url.resolvingSymlinksInPath().standardizedFileURL
            return resolved.path.hasPrefix(root.path == "/" ? "/" : root.path + "/") ? resolved : nil
        }

        private static func type(of url: URL) -> String {
            types[url.pathExtension.lowercased()] ?? "application/octet-stream"
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

    /// What identifies one version of a file.
    private struct FileFacts {
        var size: Int
        var tag: String

        /// Nil if there is no regular file.
        init?(_ url: URL) {
            var facts = stat()
            guard stat(url.path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
            size = Int(facts.st_size)
            #if os(Linux)
                let changed = facts.st_mtim
            #else
                let changed = facts.st_mtimespec
            #endif
            tag =
                "\"\(String(size, radix: 16))-\(String(changed.tv_sec, radix: 16))-\(String(changed.tv_nsec, radix: 16))\""
        }
    }
#endif
