import Foundation
import TapeFormat

/// Turns an `Encodable` value into a JSON tree, always the same for equal values.
///
/// The strategies are the ones that ``Overlay`` reads back: data in base 64, dates as Codable leaves them, numbers that
/// JSON can't write as the strings `nan`, `inf` and `-inf`.
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

    /// - Throws: What the value's `encode(to:)` throws, or `FormatError` if it nests too deep for a tape.
    func tree(of value: some Encodable) throws -> JSON {
        try sized(value).tree
    }

    /// The tree and the bytes of its text.
    func sized(_ value: some Encodable) throws -> (tree: JSON, size: Int) {
        let data = try encoder.encode(value)
        return (try JSON(parsing: data), data.count)
    }
}
