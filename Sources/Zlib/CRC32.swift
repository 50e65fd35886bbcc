internal import CZlib

package enum CRC32 {
    /// The checksum of bytes.
    package static func of(_ bytes: [UInt8]) -> Int {
        bytes.withUnsafeBufferPointer { Int(crc32_z(0, $0.baseAddress, $0.count)) }
    }
}
