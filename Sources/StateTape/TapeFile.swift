import Foundation
import TapeFormat

/// A tape that is written to a file as it is recorded (`STATETAPE_FILE`).
final class TapeFile {
    private let handle: FileHandle
    private let log: @Sendable (String) -> Void

    /// Replaces what is at `path`; nil, with a message, if it can't be written.
    init?(path: String, header: Header, log: @escaping @Sendable (String) -> Void) {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else {
            log("The tape file \(path) can't be written.")
            return nil
        }
        self.handle = handle
        self.log = log
        write(header.json.bytes)
    }

    func write(_ line: [UInt8]) {
        do {
            try handle.write(contentsOf: line + [UInt8(ascii: "\n")])
        } catch {
            log("A line could not be written to the tape file: \(error)")
        }
    }
}
