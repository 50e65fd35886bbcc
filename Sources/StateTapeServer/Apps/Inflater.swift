import TapeFormat
import Zlib

/// Decompresses the messages of one connection. The peer isn't trusted.
final class Inflater {
    enum Failure: Error {
        /// The decompressed message is longer than allowed.
        case tooBig
        /// The bytes are not part of the stream.
        case broken(String)
    }

    /// The most bytes that are decompressed at once.
    private static let mostAtOnce = 1 << 20

    private let inflation = Inflation(.raw(windowBits: Int32(Compression.windowBits)))
    private var hasFailed = false

    /// Decompresses a message. After a failure the stream can't be used any more.
    ///
    /// - Parameters:
    ///   - message: The compressed message, with its mark.
    ///   - limit: The most bytes that the message may have after decompression.
    func message(_ message: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
        var output: [UInt8] = []
        for piece in [message.dropFirst(), Compression.tail[...]] { try inflate(piece, limit, &output) }
        guard inflation.isBetweenBlocks else { throw fail("a message ends inside a block") }
        return output
    }

    private func inflate(_ input: ArraySlice<UInt8>, _ limit: Int, _ output: inout [UInt8]) throws(Failure) {
        var rest = input
        // Most messages fit the first time.
        var room = min(limit + 1, Self.mostAtOnce, max(1 << 10, input.count * 16))
        var isMore = true
        while isMore {
            guard !hasFailed else { throw fail("the stream has ended") }
            let step = inflation.step(rest, room: room, to: &output)
            rest = rest.dropFirst(step.taken)
            isMore = !rest.isEmpty || step.made == room
            guard output.count <= limit else {
                hasFailed = true
                throw .tooBig
            }
            switch step.state {
            case .open: break
            case .ended: throw fail("the stream has ended")
            case .broken(let reason): throw fail(reason)
            }
            room = min(limit + 1 - output.count, Self.mostAtOnce, 2 * room)
        }
    }

    private func fail(_ reason: String) -> Failure {
        hasFailed = true
        return .broken(reason)
    }
}
