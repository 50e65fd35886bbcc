import Foundation
import TapeFormat
import TapeSockets

/// A body that waits in a file until its client reads it.
final class AnswerFile: Sendable {
    private static let piece = 256 << 10

    private let file: SpoolFile
    private let place = Locked(0)
    private let held: any AnyObject & Sendable

    /// An empty one; nil if the file can't be made.
    ///
    /// - Parameter held: What lives as long as the file.
    init?(in folder: URL, held: any AnyObject & Sendable) {
        guard let file = try? SpoolFile(in: folder) else { return nil }
        (self.file, self.held) = (file, held)
    }

    /// Nil if the file can't be written.
    convenience init?(_ body: [UInt8], in folder: URL, held: any AnyObject & Sendable) {
        self.init(in: folder, held: held)
        guard append(body) else { return nil }
    }

    /// The bytes of the body.
    var count: Int { file.count }

    /// Returns false if the file can't be written.
    func append(_ body: [UInt8]) -> Bool { (try? file.append(body)) != nil }

    /// The next piece; nil at the end.
    func next() throws -> [UInt8]? {
        let start = place.withLock { $0 }
        guard start < count else { return nil }
        guard let piece = file.read(from: start, most: Self.piece) else { throw CocoaError(.fileReadUnknown) }
        place.withLock { $0 = start + piece.count }
        return piece
    }
}
