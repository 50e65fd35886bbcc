import CPostgres

/// A parameter in the database's binary form.
///
/// Texts of others are stored as the bytes of their UTF-8 (`bytea`): a PostgreSQL text can't contain NUL.
struct PostgresValue {
    let type: Oid
    /// Nil for NULL.
    let bytes: [UInt8]?

    private enum Types {
        static let bool: Oid = 16
        static let bytes: Oid = 17
        static let int: Oid = 20
        static let text: Oid = 25
        static let double: Oid = 701
        static let bools: Oid = 1000
        static let byteses: Oid = 1001
        static let texts: Oid = 1009
        static let ints: Oid = 1016
        static let doubles: Oid = 1022
    }

    static func int(_ value: Int?) -> Self { Self(type: Types.int, bytes: value.map { Self.bytes(Int64($0)) }) }
    static func int(_ value: Int64) -> Self { Self(type: Types.int, bytes: bytes(value)) }
    static func double(_ value: Double) -> Self {
        Self(type: Types.double, bytes: bytes(Int64(bitPattern: value.bitPattern)))
    }
    static func bool(_ value: Bool?) -> Self { Self(type: Types.bool, bytes: value.map { [$0 ? 1 : 0] }) }
    static func bytes(_ value: [UInt8]?) -> Self { Self(type: Types.bytes, bytes: value) }
    /// A text as the bytes of its UTF-8.
    static func utf8(_ text: String?) -> Self { Self(type: Types.bytes, bytes: text.map { Array($0.utf8) }) }
    /// A text without NUL.
    static func text(_ text: String?) -> Self { Self(type: Types.text, bytes: text.map { Array($0.utf8) }) }

    static func ints(_ values: [Int]) -> Self {
        array(Types.ints, of: Types.int, values, size: 8) { append(Int64($0), to: &$1) }
    }

    static func ints(_ values: [Int64]) -> Self {
        array(Types.ints, of: Types.int, values, size: 8) { append($0, to: &$1) }
    }

    static func doubles(_ values: [Double?]) -> Self {
        array(Types.doubles, of: Types.double, values, size: 8) {
            guard let value = $0 else { return false }
            append(Int64(bitPattern: value.bitPattern), to: &$1)
            return true
        }
    }

    static func bools(_ values: [Bool]) -> Self {
        array(Types.bools, of: Types.bool, values, size: 1) { $1.append($0 ? 1 : 0) }
    }

    static func byteses(_ values: [[UInt8]]) -> Self {
        array(Types.byteses, of: Types.bytes, values, size: values.reduce(0) { max($0, $1.count) }) { $1 += $0 }
    }

    /// Texts as the bytes of their UTF-8.
    static func utf8s(_ values: [String?]) -> Self {
        array(Types.byteses, of: Types.bytes, values, size: 16) {
            guard let value = $0 else { return false }
            $1 += value.utf8
            return true
        }
    }

    /// Texts without NUL.
    static func texts(_ values: [String?]) -> Self {
        array(Types.texts, of: Types.text, values, size: 16) {
            guard let value = $0 else { return false }
            $1 += value.utf8
            return true
        }
    }

    private static func array<Element>(
        _ type: Oid, of element: Oid, _ values: [Element], size: Int,
        _ write: (Element, inout [UInt8]) -> Void
    ) -> Self {
        array(type, of: element, values, size: size) {
            write($0, &$1)
            return true
        }
    }

    /// - Parameters:
    ///   - size: The expected bytes of a value.
    ///   - write: Appends a value; returns false for NULL.
    private static func array<Element>(
        _ type: Oid, of element: Oid, _ values: [Element], size: Int,
        _ write: (Element, inout [UInt8]) -> Bool
    ) -> Self {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + values.count * (4 + min(size, 1 << 20)))
        for number in [values.isEmpty ? 0 : 1, 1, Int32(bitPattern: element)] { append(number, to: &bytes) }
        guard !values.isEmpty else { return Self(type: type, bytes: bytes) }
        for number in [Int32(values.count), 1] { append(number, to: &bytes) }
        for value in values {
            let place = bytes.count
            append(Int32(0), to: &bytes)
            let isNull = !write(value, &bytes)
            let count = isNull ? -1 : Int32(bytes.count - place - 4)
            withUnsafeBytes(of: count.bigEndian) { for index in 0..<4 { bytes[place + index] = $0[index] } }
        }
        return Self(type: type, bytes: bytes)
    }

    private static func bytes(_ value: Int64) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
}

extension [PostgresValue] {
    /// Calls the body with what libpq wants to know of parameters.
    func withPointers<Result>(
        _ body: (_ values: [UnsafePointer<CChar>?], _ lengths: [Int32], _ formats: [Int32]) -> Result
    ) -> Result {
        func collect(_ index: Int, _ pointers: inout [UnsafePointer<CChar>?]) -> Result {
            guard index < count else {
                return body(
                    pointers, map { Int32($0.bytes?.count ?? 0) }, [Int32](repeating: 1, count: count))
            }
            guard let bytes = self[index].bytes else {
                pointers.append(nil)
                return collect(index + 1, &pointers)
            }
            // An empty array may have no address, which would mean NULL.
            return (bytes.isEmpty ? [0] : bytes).withUnsafeBytes {
                pointers.append($0.baseAddress?.assumingMemoryBound(to: CChar.self))
                return collect(index + 1, &pointers)
            }
        }
        var pointers: [UnsafePointer<CChar>?] = []
        return collect(0, &pointers)
    }
}
