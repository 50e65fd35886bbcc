import TapeFormat

/// An error that a build printed.
struct BuildError: Equatable, Hashable {
    var file: String?
    var line: Int?
    var column: Int?
    let text: String

    /// `Sources/App/App.swift:3:5: cannot find 'x' in scope`
    var description: String {
        [file, line.map(String.init), column.map(String.init), " \(text)"].compactMap { $0 }
            .joined(separator: ":").trimmingPrefix(" ").description
    }

    /// For the server.
    var json: JSON {
        var object = JSON.Object([("text", .string(text.limited(4_000)))])
        object["file"] = file.map { .string($0.limited(4_000)) }
        object["line"] = line.map { .number(.init($0)) }
        object["column"] = column.map { .number(.init($0)) }
        return .object(object)
    }

    /// The errors in a build's output, each once: `FILE:LINE:COLUMN: error: TEXT` of compilers, and `error: TEXT`.
    ///
    /// - Parameter folder: Left out at the beginning of a file's path.
    static func errors(in lines: [String], folder: String) -> [BuildError] {
        var found: [BuildError] = []
        for line in lines.map(\.onOneLine) {
            guard var error = placed(line) ?? general(line) else { continue }
            if let file = error.file, file.hasPrefix(folder + "/") {
                error.file = String(file.dropFirst(folder.count + 1))
            }
            if !found.contains(error) { found.append(error) }
        }
        // "fatalError" and the like say only that there was an error.
        let places = found.filter { $0.file != nil }
        return places.isEmpty ? found : places
    }

    private static func placed(_ line: String) -> BuildError? {
        guard let match = line.firstMatch(of: /^\s*([^\s:][^:]*):(\d+)(?::(\d+))?: (?:fatal )?error: (.+)$/) else {
            return nil
        }
        return BuildError(
            file: String(match.1), line: Int(match.2), column: match.3.flatMap { Int($0) }, text: String(match.4))
    }

    private static func general(_ line: String) -> BuildError? {
        guard let match = line.firstMatch(of: /^(?:[\w.\/+-]+: )?(?:fatal )?error: (.+)$/) else { return nil }
        return BuildError(text: String(match.1))
    }
}

extension String {
    /// At most so many bytes.
    func limited(_ count: Int) -> String {
        utf8.count <= count ? self : String(decoding: utf8.prefix(count - 3), as: UTF8.self) + "…"
    }
}
