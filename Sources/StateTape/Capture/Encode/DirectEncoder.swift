import Foundation
import TapeFormat

/// To be replaced: a stand-in until the direct encoder lands.
final class DirectEncoder {
    func encode<Value: Encodable>(_ value: Value, slice: Slice? = nil, to output: ByteBuffer) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dataEncodingStrategy = .base64
        encoder.dateEncodingStrategy = .deferredToDate
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        try encoder.encode(value).withUnsafeBytes { output.append($0) }
    }
}
