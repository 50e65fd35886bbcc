/// A JSON value that keeps the order of members and the source text of numbers.
///
/// Equality compares numbers by exact decimal value (`1.0` equals `1`, `-0` differs from `0`), strings and keys by their
/// UTF-8 bytes, and objects regardless of the order of their members. Swift's own comparison of strings treats `"é"` and
/// `"e\u{301}"` as equal.
public enum JSON: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Number)
    case string(String)
    case array([JSON])
    case object(Object)

    public static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.hasSameUTF8(as: right)
        // The compiler would inline this function into `Array.==`, which makes ten times the code.
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0 == $1 }
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Whether both values are equal, and their numbers have the same text.
    package func hasSameText(as other: JSON) -> Bool {
        switch (self, other) {
        case (.number(let left), .number(let right)): left.text.hasSameUTF8(as: right.text)
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.hasSameText(as: $1) }
        case (.object(let left), .object(let right)):
            left.isSame(as: right, by: { $0.hasSameText(as: $1) })
        default: self == other
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): hasher.combine(UTF8Text(value))
        case .array(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        }
    }
}

extension JSON {
    /// The member of an object; nil if it is missing or the value isn't an object.
    public subscript(_ key: String) -> JSON? { object?[key] }

    /// The element of an array; nil if it is missing or the value isn't an array.
    public subscript(_ index: Int) -> JSON? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    public var isNull: Bool { if case .null = self { true } else { false } }
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
    public var object: Object? { if case .object(let value) = self { value } else { nil } }
    public var number: Number? { if case .number(let value) = self { value } else { nil } }

    /// The number as an `Int`; nil if it isn't an integer or is out of range.
    public var int: Int? { number?.int }

    /// The nearest `Double`.
    public var double: Double? { number?.double }
}

// Not expressible by nil: `json["a"] == nil` would then compare with null instead of testing for a missing member.
extension JSON: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .number(Number(value)) }
    public init(floatLiteral value: Double) { self = Number(value).map(JSON.number) ?? .null }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSON)...) { self = .object(Object(elements)) }
}
