import CZlib

extension HTTPClient.Response {
    /// The decompressed body; nil if it is not a complete gzip file.
    var gunzipped: [UInt8]? {
        var stream = z_stream()
        guard inflateInit2_(&stream, 15 + 16, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var input = body
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        return input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            var code = Z_OK
            while code == Z_OK {
                let count = buffer.withUnsafeMutableBufferPointer { buffer in
                    stream.next_out = buffer.baseAddress
                    stream.avail_out = UInt32(buffer.count)
                    code = inflate(&stream, Z_NO_FLUSH)
                    return buffer.count - Int(stream.avail_out)
                }
                content += buffer[..<count]
            }
            return code == Z_STREAM_END && stream.avail_in == 0 ? content : nil
        }
    }
}
