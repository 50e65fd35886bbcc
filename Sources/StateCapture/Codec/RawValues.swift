import TapeFormat

/// How a type is written that is its raw value on the tape.
enum RawValues {
    /// A struct with a value of this type.
    case type(Any.Type)
    /// An enum: the raw values of its cases by their names.
    case cases(JSON.Object)
    /// An enum whose raw values can't be read.
    case unknown

    /// Nil for other types.
    static func of(_ type: Any.Type) -> RawValues? {
        // An isolated conformance may be used on its actor only.
        guard let encodable = type as? any Encodable.Type, !Conformance.isIsolated(encodable),
            let raw = type as? any RawRepresentable.Type
        else { return nil }
        return read(raw)
    }

    private static func read<Value: RawRepresentable>(_ type: Value.Type) -> RawValues? {
        guard Value.RawValue.self is any Encodable.Type else { return nil }
        let metadata = Metadata(type)
        guard metadata.kind == .enum else { return .type(Value.RawValue.self) }
        guard let fields = metadata.fields, 1...256 ~= fields.count, metadata.extent.size <= 1 else { return .unknown }
        var cases = JSON.Object()
        for (number, field) in fields.enumerated() {
            guard field.type == nil, let raw = rawValue(type, number, field.name) else { return .unknown }
            // A text that is not the name may be a secret.
            guard let written = written(raw, field.name) else { continue }
            cases[field.name] = written
        }
        return .cases(cases)
    }

    /// The raw value of a case; nil if it isn't the case of this name.
    private static func rawValue<Value: RawRepresentable>(
        _: Value.Type, _ number: Int, _ name: String
    ) -> Value.RawValue? {
        // Cases without values are numbered in the order of the declaration.
        withUnsafeBytes(of: UInt8(number)) { byte in
            guard let start = byte.baseAddress else { return nil }
            let value = start.assumingMemoryBound(to: Value.self).pointee
            return Fields.caseName(of: value) == name ? value.rawValue : nil
        }
    }

    private static func written(_ raw: Any, _ name: String) -> JSON? {
        if let text = raw as? String { return letters(text) == letters(name) ? .string(text) : nil }
        return (raw as? any BinaryInteger).flatMap { Int(exactly: $0) }.map { .number(JSON.Number($0)) }
    }

    private static func letters(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
}
