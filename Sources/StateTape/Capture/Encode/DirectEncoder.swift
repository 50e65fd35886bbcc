import Foundation
import TapeFormat

/// To be replaced: a stand-in until the direct encoder lands.
final class DirectEncoder {
    private let encoder = TreeEncoder()
    func encode<Value: Encodable>(_ value: Value, slice: Slice? = nil, to output: ByteBuffer) throws {
        let bytes = try encoder.tree(of: value).bytes
        bytes.withUnsafeBytes { output.append($0) }
    }
}
