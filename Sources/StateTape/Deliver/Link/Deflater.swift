import CZlib
import TapeFormat

/// Compresses the messages of one connection with what was sent before as context. A keystroke of 300 bytes takes 50.
final class Deflater {
    /// The fastest level. Higher ones take longer and save a byte or two of those 50.
    private static let level: Int32 = 1
    /// Of 9. More is of no use with so small a window.
    private static let memory: Int32 = 5

    /// Allocated, because zlib points to it and it must not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var isBroken: Bool

    init() {
        stream.initialize(to: z_stream())
        isBroken =
            deflateInit2_(
                stream, Self.level, Z_DEFLATED, -Int32(Compression.windowBits), Self.memory, Z_DEFAULT_STRATEGY,
                zlibVersion(), Int32(MemoryLayout<z_stream>.size)) != Z_OK
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Returns the message compressed, or unchanged if memory is short.
    func compressed(_ message: [UInt8]) -> [UInt8] {
        guard !isBroken else { return message }
        // More than a flush can add.
        var output = [UInt8](repeating: Compression.mark, count: Int(deflateBound(stream, UInt(message.count))) + 64)
        var count = 1
        message.withUnsafeBufferPointer { input in
            // zlib only reads from there.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            repeat {
                if count == output.count { output += [UInt8](repeating: 0, count: output.count) }
                output.withUnsafeMutableBufferPointer { output in
                    stream.pointee.next_out = output.baseAddress.map { $0 + count }
                    stream.pointee.avail_out = UInt32(output.count - count)
                    isBroken = deflate(stream, Z_SYNC_FLUSH) != Z_OK
                    count = output.count - Int(stream.pointee.avail_out)
                }
            } while stream.pointee.avail_out == 0 && !isBroken
        }
        guard !isBroken else { return message }
        output.removeLast(output.count - count + Compression.tail.count)
        return output
    }
}

/// A connection whose messages are compressed.
struct CompressedConnection: TransportConnection {
    private let connection: any TransportConnection
    private let deflater = Locked(Deflater())

    init(_ connection: any TransportConnection) {
        self.connection = connection
    }

    func send(_ message: [UInt8]) {
        connection.send(deflater.withLock { $0.compressed(message) })
    }

    func close(code: UInt16, reason: String) {
        connection.close(code: code, reason: reason)
    }
}
