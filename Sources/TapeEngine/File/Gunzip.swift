import Zlib

/// Decompresses a gzip file, which may have several members, chunk by chunk.
package final class Gunzip {
    package enum Failure: Error {
        /// The decompressed size exceeds the limit.
        case tooBig
        case broken(String)
    }

    /// The first bytes of a gzip file.
    static let magic: [UInt8] = [0x1f, 0x8b]

    /// Bytes of the output of one step.
    private static let room = 256 << 10
    /// The maximum number of members; one more per `bytesPerMember` decompressed bytes. Without this limit a small file of
    /// empty members keeps a core busy.
    private static let maxMembers = 1_000
    private static let bytesPerMember = 256

    private let inflation = Inflation(.gzip)
    private let limit: Int
    private var made = 0
    private var members = 0
    /// Whether the last member is complete.
    private var isBetween = true

    /// Whether the file may end here.
    var isWhole: Bool { isBetween && members > 0 }

    /// - Parameter limit: The maximum decompressed size in bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// Decompresses a chunk; calls `take` with each part of the output.
    func unpack(_ piece: [UInt8], _ take: ([UInt8]) throws -> Void) throws {
        var rest = piece[...]
        var isMore = !rest.isEmpty
        while isMore {
            var output: [UInt8] = []
            let step = inflation.step(rest, room: Self.room, to: &output)
            rest = rest.dropFirst(step.taken)
            made += step.made
            guard made <= limit else { throw Failure.tooBig }
            if !output.isEmpty { try take(output) }
            switch step.state {
            case .ended:
                isBetween = true
                members += 1
                guard members <= Self.maxMembers + made / Self.bytesPerMember else {
                    throw Failure.broken("it has \(members) parts with almost no content")
                }
                inflation.reset()
            case .open where step.taken > 0 || step.made > 0: isBetween = false
            // No more output: the step before filled its room exactly.
            case .open: break
            case .broken(let reason): throw Failure.broken(reason)
            }
            isMore = !rest.isEmpty || step.made == Self.room
        }
    }
}
