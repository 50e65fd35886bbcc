/// A row as it is stored, without any interpretation.
package struct StoredRow: Sendable {
    private let values: [String: StoredValue]

    package init(_ values: [String: StoredValue]) {
        self.values = values
    }

    /// The value of a column; nothing for a column that this engine doesn't have.
    package subscript(_ column: String) -> StoredValue { values[column] ?? .nothing }

    package func int(_ column: String) -> Int? { if case .int(let value) = self[column] { value } else { nil } }

    package func double(_ column: String) -> Double? {
        switch self[column] {
        case .double(let value): value
        case .int(let value): Double(value)
        default: nil
        }
    }

    /// Bytes, or the bytes of a text.
    package func bytes(_ column: String) -> [UInt8]? {
        switch self[column] {
        case .text(let bytes), .bytes(let bytes): bytes
        default: nil
        }
    }

    /// A text, or bytes that are one. Nil if it isn't valid UTF-8.
    package func text(_ column: String) -> String? { bytes(column).flatMap { String(validating: $0, as: UTF8.self) } }

    package func has(_ column: String) -> Bool { values[column] != nil }
}

/// A value as it is stored.
package enum StoredValue: Sendable, Equatable, CustomStringConvertible {
    case nothing
    case int(Int)
    case double(Double)
    /// The bytes may be invalid.
    case text([UInt8])
    case bytes([UInt8])

    private static let maxShown = 40

    /// What a person needs to see of it.
    package var description: String {
        switch self {
        case .nothing: return "nothing"
        case .int(let value): return "\(value)"
        case .double(let value): return "\(value)"
        case .text(let bytes), .bytes(let bytes):
            guard let text = String(validating: bytes, as: UTF8.self), text.unicodeScalars.count <= Self.maxShown
            else { return "\(bytes.count) bytes" }
            return "“\(text)”"
        }
    }
}
