import TapeFormat

@testable import StateTape
@testable import StateTapeServer
@testable import TapeUplink

/// The input has messages separated by the byte 1. The server decompresses them; the app compresses them.
func fuzzCompressed(_ bytes: [UInt8]) {
    let limit = 256 << 10
    let foreign = Inflater()
    for message in bytes.split(separator: 1) {
        guard let content = try? foreign.message([Compression.mark] + message, limit: limit) else { break }
        require(content.count <= limit, "a decompressed message exceeds the limit")
    }
    let (deflater, inflater) = (Deflater(), Inflater())
    for message in bytes.split(separator: 1).prefix(8) {
        let packed = deflater.compressed(Array(message))
        guard packed.first == Compression.mark, let content = try? inflater.message(packed, limit: limit) else {
            fatalError("the app's compressed message can't be decompressed")
        }
        require(content == Array(message), "decompressing the app's message gives other bytes")
    }
}
