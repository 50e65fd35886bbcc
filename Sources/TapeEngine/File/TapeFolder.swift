package import Foundation

/// The folder of a package's tapes: `Tapes` beside `Package.swift`. In a target's folder, SwiftPM would warn of a tape.
package struct TapeFolder {
    package let url: URL

    /// - Returns: Nil if neither the folder nor one above it has a package.
    package init?(above folder: URL) {
        var folder = folder.standardizedFileURL
        while !FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) {
            guard folder.pathComponents.count > 1 else { return nil }
            folder = folder.deletingLastPathComponent()
        }
        url = folder.appendingPathComponent("Tapes", isDirectory: true)
    }
}
