import Foundation

/// The folders in which a change can make a link lead to another file or to another content: that of the file, and
/// those of further links on the way. The folder of the link itself is not among them.
struct LinkPlaces {
    /// As many as Linux follows.
    private static let maxLinks = 40

    private(set) var folders: Set<String> = []

    /// - Parameter link: An absolute path.
    init(_ link: String) {
        var rest = Self.parts(link)
        let name = rest.removeLast()
        // The path up to the link is watched, or was given by the user.
        var path = rest.isEmpty ? "" : "/" + rest.joined(separator: "/")
        rest = [name]
        var links = 0
        while !rest.isEmpty {
            let name = rest.removeFirst()
            if name == ".." {
                path = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
                continue
            }
            let next = "\(path)/\(name)"
            if let target = Self.target(next) {
                links += 1
                if links > Self.maxLinks { return }
                if links > 1 { folders.insert(path.isEmpty ? "/" : path) }
                if target.hasPrefix("/") { path = "" }
                rest = Self.parts(target) + rest
            } else if rest.isEmpty {
                folders.insert(path.isEmpty ? "/" : path)
            } else {
                path = next
            }
        }
    }

    private static func parts(_ path: String) -> [String] {
        path.split(separator: "/").filter { $0 != "." }.map(String.init)
    }

    /// Where a link leads to; nil if the path isn't one.
    private static func target(_ path: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    }
}
