import Foundation
import Testing

/// The tape of a failed test.
struct KeptTape: Sendable {
    /// A longer tape is not attached to the test, in bytes.
    private static let maxAttached = 16 << 20

    let file: URL

    init(_ file: URL) {
        self.file = file
    }

    /// Attaches the tape to the running test of Swift Testing.
    func attach() {
        if let bytes = try? Data(contentsOf: file), bytes.count <= Self.maxAttached {
            Attachment.record([UInt8](bytes), named: file.lastPathComponent)
        }
    }

    /// Whether `statetape ci` collects the tape, which then gets another place.
    static func isCollected(_ file: URL) -> Bool {
        let folder = file.deletingLastPathComponent().deletingLastPathComponent()
        return FileManager.default.fileExists(atPath: folder.appendingPathComponent(".statetape-ci").path)
    }

    /// Prints where the tape is, and sends it to the server if there is one.
    func report() async {
        if !Self.isCollected(file) { print("The tape of the failed test: \(file.path)") }
        guard let archive = TapeArchive.current else { return }
        do {
            print("On the server: \(try await archive.upload(file))")
        } catch {
            print("The tape was not sent to \(archive.name): \(error)")
        }
    }
}
