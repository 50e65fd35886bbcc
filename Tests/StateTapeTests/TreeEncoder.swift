import Foundation
import TapeFormat

/// Foundation's encoder with the tape's strategies, to compare the recorder's own encoder with.
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
