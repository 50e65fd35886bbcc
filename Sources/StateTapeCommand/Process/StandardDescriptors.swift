import Foundation

/// Standard input, output and error.
enum StandardDescriptors {
    /// Opens `/dev/null` in the place of those that are closed: otherwise the next file gets the number, and the
    /// command reads it as its input, or writes its text into it.
    static func open() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            // The lowest number that is free.
            _ = Foundation.open("/dev/null", O_RDWR)
        }
    }
}
