#if Server
    import Foundation

    /// Unbuffered standard output: scripts wait for its lines.
    enum Output {
        static func line(_ text: String) {
            do {
                try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
            } catch {
                // The exit code tells the reader that the output is incomplete.
                try? FileHandle.standardError.write(
                    contentsOf: Data("Error: standard output can't be written: \(error.reason)\n".utf8))
                exit(1)
            }
        }

        /// Prints a message to standard error.
        static func note(_ text: String) {
            try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
        }
    }
#endif
