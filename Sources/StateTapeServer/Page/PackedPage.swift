/// The page with its modules in three files: those of the first rows, those of an open session, and those of the
/// worker. So a visit needs few requests.
///
/// Each module becomes a function in such a file. Its own path still exists, and exports the same values, for
/// modules that are loaded later.
struct PackedPage {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The module of the page's first rows. Its file has the values of all packed modules.
    private static let main = "main.js"

    /// The texts by path.
    private(set) var files: [String: String]
    private let originals: [String: String]
    /// The file that has a module, by the module's path.
    private var homes: [String: String] = [:]

    /// - Parameter files: The page's files, as they are in `web`.
    /// - Throws: ``Failure`` for a module with an import or export of another form than the page's.
    init(_ files: [String: String]) throws {
        (self.files, originals) = (files, files)
        // A worker shares no values with the page.
        let worker = "file/worker.js"
        self.files[worker] = "const modules = {};\n" + Self.text(of: try modules(of: worker), in: worker)
        try pack(Self.main)
        try pack("views/workbench.js")
        self.files["index.html"] = files["index.html"]?.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("<link rel=\"modulepreload\"") }.joined(separator: "\n")
    }

    private mutating func pack(_ entry: String) throws {
        let modules = try modules(of: entry)
        for module in modules {
            homes[module.path] = entry
            if !module.exports.isEmpty {
                files[module.path] = """
                    import { modules } from '\(Self.way(from: module.path))\(entry)';
                    \(Self.exports(of: module))
                    """
            }
        }
        let first = "import { modules } from '\(Self.way(from: entry))\(Self.main)';"
        files[entry] = """
            \(entry == Self.main ? "const modules = {};" : first)
            export { modules };
            \(Self.text(of: modules, in: entry))\(modules.last.map(Self.exports) ?? "")
            """
    }

    private static func text(of modules: [PageModule], in file: String) -> String {
        modules.map { module in
            """
            modules['\(module.path)'] = (() => {
            \(module.function(from: way(from: file)))
            return { \(module.exports.joined(separator: ", ")) };
            })();

            """
        }.joined()
    }

    private static func exports(of module: PageModule) -> String {
        guard !module.exports.isEmpty else { return "" }
        return "export const { \(module.exports.joined(separator: ", ")) } = modules['\(module.path)'];\n"
    }

    /// A module and those that it imports and that no file has yet, in the order in which they run.
    private func modules(of entry: String) throws -> [PageModule] {
        var modules: [PageModule] = []
        try collect(entry, into: &modules)
        return modules
    }

    /// Adds a module after those that it imports.
    private func collect(_ path: String, into modules: inout [PageModule]) throws {
        guard homes[path] == nil, !modules.contains(where: { $0.path == path }) else { return }
        guard let text = originals[path] else { throw Failure(description: "The page has no \(path).") }
        let module = try PageModule(path, text)
        for other in module.imports { try collect(other, into: &modules) }
        modules.append(module)
    }

    /// From a file's folder to the page's.
    private static func way(from path: String) -> String {
        let depth = path.split(separator: "/").count - 1
        return depth == 0 ? "./" : String(repeating: "../", count: depth)
    }
}
