import Foundation
import TapeFormat

/// Foundation's encoder with the strategies of the tape: what the recorder's own one is held against.
struct TreeEncoder {
    private let encoder: JSONEncoder

    init() {
        encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dataEncodingStrategy = .base64
        encoder.dateEncodingStrategy = .deferredToDate
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    }

    func tree(of value: some Encodable) throws -> JSON {
        try JSON(parsing: encoder.encode(value))
    }
}
