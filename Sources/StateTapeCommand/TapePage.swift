import Foundation
import StateTapeServer
import TapeEngine

/// The page as one HTML file, with a tape inside.
struct TapePage {
    private let page: OnePage

    /// - Parameter web: The folder with the page's files; nil for the built-in page.
    /// - Throws: `Failure` if the folder has no page.
    init(web: String?) throws {
        do {
            page = try OnePage.of(web.map { Page(URL(named: $0, isDirectory: true)) } ?? .builtIn)
        } catch {
            throw Failure("\(error)")
        }
    }

    /// Writes the file, chunk by chunk.
    func write(
        _ tape: OpenedTape, _ part: Range<Int>, _ states: States, name: String, _ body: ([UInt8]) throws -> Void
    ) throws {
        var export = try TapeExport(tape, part, states)
        var file = try OnePageFile(page, name: name)
        while let piece = try file.piece({ try export.piece() }) { try body(piece) }
    }
}
