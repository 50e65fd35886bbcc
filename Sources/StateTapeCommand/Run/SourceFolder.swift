import Foundation

/// A folder whose files are watched.
struct SourceFolder: Sendable {
    let url: URL
    /// All files count, as in a folder of `--watch`. Otherwise those that a package is built from.
    let isWhole: Bool

    /// The folders that a package's targets are in by default; all their files count, resources included.
    private static let sources: Set = ["Sources", "Source", "src", "srcs"]
    private static let endings: Set = [
        "swift", "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "m", "mm", "s", "S", "modulemap", "metal",
    ]
    private static let temporary: Set = ["swp", "swo", "swx", "tmp", "bak", "orig"]

    /// Whether to look into a folder, by its path in this one.
    func enters(_ parts: [String]) -> Bool {
        guard let name = parts.last else { return true }
        return !name.hasPrefix(".") && name != "node_modules" && (isWhole || parts != ["Tests"])
    }

    /// Whether a change of a file counts.
    func counts(_ parts: [String]) -> Bool {
        guard let name = parts.last, !Self.isTemporary(name) else { return false }
        if isWhole { return true }
        let ending = (name as NSString).pathExtension
        if parts.count == 1 {
            return name.hasPrefix("Package") && ending == "swift" || Self.endings.contains(ending)
        }
        return Self.sources.contains(parts[0]) || Self.endings.contains(ending)
    }

    /// The files that editors write beside the one that is saved, and hidden ones.
    static func isTemporary(_ name: String) -> Bool {
        name.hasPrefix(".") || name.hasPrefix("#") || name.hasSuffix("~") || name.hasSuffix("___")
            || name.contains(".sb-") || name.allSatisfy(\.isNumber)
            || temporary.contains((name as NSString).pathExtension)
    }
}
