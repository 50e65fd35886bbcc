#if Server
    import Foundation

    /// Standard output, written at once: scripts wait for its lines.
    enum Output {
        static func line(_ text: String) {
            do {
                try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
            } catch {
                // What is read from a pipe or a file must not look whole.
                try? FileHandle.standardError.write(
                    contentsOf: Data("Error: standard output can't be written: \(error.reason)\n".utf8))
                exit(1)
            }
        }

        /// A sentence for standard error.
        static func note(_ text: String) {
            try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
        }
    }
#endif
