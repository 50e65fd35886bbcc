package import Foundation

/// The files below a folder, over GET and HEAD.
package struct StaticFiles: Sendable {
    /// - Parameters:
    ///   - root: The folder; `/` answers with its `index.html`.
    ///   - headers: Sent with every file.
    package init(root: URL, headers: [(String, String)] = []) {}

    /// Answers if the path is a file below the root; false if there is none.
    package func handle(_ exchange: HTTPExchange) -> Bool { false }
}
