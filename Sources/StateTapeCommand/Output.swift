#if Server
    import Foundation

    /// Standard output, written at once: scripts wait for its lines.
    enum Output {
        static func line(_ text: String) {
            bytes(Data((text + "\n").utf8))
        }

        static func bytes(_ data: Data) {
            // Nobody is left to be told when the reader has gone.
            try? FileHandle.standardOutput.write(contentsOf: data)
        }
    }
#endif
