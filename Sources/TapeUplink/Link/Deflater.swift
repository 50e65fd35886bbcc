import TapeFormat
import Zlib

/// Compresses the messages of one connection with what was sent before as context. A keystroke of 300 bytes takes 50.
final class Deflater {
    /// The fastest level, which saves a byte or two of those 50 less than higher ones; and of the memory more than half is
    /// of no use with so small a window.
    private var deflation = try? Deflation(
        .raw(windowBits: Int32(Compression.windowBits)), level: 1, memory: 5)

    /// Returns the message compressed, or unchanged if memory is short.
    func compressed(_ message: [UInt8]) -> [UInt8] {
        guard let deflation else { return message }
        var output = [Compression.mark]
        do {
            try deflation.add(message, .sync, to: &output)
        } catch {
            self.deflation = nil
            return message
        }
        output.removeLast(Compression.tail.count)
        return output
    }
}
