import Foundation

/// Standard output; handles partial writes.
enum Output {
    /// Writes a text; returns false if the reader has closed the output.
    @discardableResult
    static func write(_ text: String) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0 {
                guard errno == EINTR || errno == EAGAIN else { return false }
            } else {
                bytes.removeFirst(count)
            }
        }
        return true
    }
}
