#if Server
    import Foundation

    /// Standard output, written whole.
    enum Output {
        /// Writes a text; false if nobody reads any more.
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
#endif
