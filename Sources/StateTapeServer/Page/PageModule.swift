import Foundation

/// A module of the page. Its imports and exports have one line each.
struct PageModule {
    let path: String
    /// The paths of the modules that it needs at once.
    private(set) var imports: [String] = []
    /// The names that it exports.
    private(set) var exports: [String] = []
    private var text = ""

    /// - Throws: ``PackedPage/Failure`` for a line that it can't read.
    init(_ path: String, _ text: String) throws {
        self.path = path
        let lines = try text.components(separatedBy: "\n").map { line in
            // Almost all lines stay as they are.
            guard line.hasPrefix("import ") || line.hasPrefix("export ") else { return line }
            guard let read = read(line) else {
                throw PackedPage.Failure(description: "\(path) can't be packed: \(line)")
            }
            return read
        }
        self.text = lines.joined(separator: "\n")
        guard !self.text.contains("import.meta") else {
            throw PackedPage.Failure(description: "\(path) can't be packed: it asks for its own address")
        }
    }

    /// The body of a function that returns the exports.
    ///
    /// - Parameter up: From the folder of the packed file to the page's.
    func function(from up: String) -> String {
        let parts = text.components(separatedBy: "import('")
        return parts.dropFirst().reduce(parts[0]) { text, part in
            let name = part.prefix { $0 != "'" }
            let address = name.hasPrefix(".") ? up + resolved(String(name)) : String(name)
            return text + "import('" + address + part.dropFirst(name.count)
        }
    }

    private mutating func read(_ line: String) -> String? {
        if let match = line.wholeMatch(of: /import (\{[^}]*\}|\* as \w+) from '(\.[^']+)';/) {
            let other = resolved(String(match.2))
            imports.append(other)
            let names = match.1.hasPrefix("*") ? match.1.dropFirst(5) : match.1
            return "const \(names.replacing(" as ", with: ": ")) = modules['\(other)'];"
        }
        guard let match = line.prefixMatch(of: /export (?:(?:async )?function\*?|class|const) (\w+)/) else {
            return nil
        }
        exports.append(String(match.1))
        return String(line.dropFirst(7))
    }

    /// The path of a module that this one names.
    private func resolved(_ name: String) -> String {
        var parts = path.split(separator: "/").dropLast()
        for part in name.split(separator: "/") {
            if part == ".." { parts = parts.dropLast() } else if part != "." { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }
}
