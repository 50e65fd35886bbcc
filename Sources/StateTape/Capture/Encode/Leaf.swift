import Foundation

/// How a type is written: what the encoder knows about it without asking its `encode(to:)`.
enum Leaf: UInt8 {
    case none
    // In an order that is not their own.
    case set
    case dictionary
    // Without parts.
    case bool
    case string
    case int
    case double
    case float
    case date
    case data
    case url
    case uuid
    case decimal

    @inline(__always) var isScalar: Bool { rawValue >= Leaf.bool.rawValue }

    init(_ type: Any.Type) {
        self =
            switch type {
            case is Bool.Type: .bool
            case is String.Type: .string
            case is Int.Type: .int
            case is Double.Type: .double
            case is Float.Type: .float
            case is Date.Type: .date
            case is Data.Type: .data
            case is URL.Type: .url
            case is UUID.Type: .uuid
            case is Decimal.Type: .decimal
            case let type as any UnorderedCollection.Type: type.leaf
            default: .none
            }
    }
}

/// Found by asking a type once. No type of an app conforms, so no conformance of an app is looked up.
private protocol UnorderedCollection {
    static var leaf: Leaf { get }
}

extension Set: UnorderedCollection { fileprivate static var leaf: Leaf { .set } }
extension Dictionary: UnorderedCollection { fileprivate static var leaf: Leaf { .dictionary } }

/// What is known about the types that were met, found by the address of their metadata.
final class LeafTable {
    private struct Slot {
        var type: ObjectIdentifier?
        var leaf: Leaf
    }

    private static let count = 1024
    private let slots: UnsafeMutablePointer<Slot>

    init() {
        slots = .allocate(capacity: Self.count)
        slots.initialize(repeating: Slot(type: nil, leaf: .none), count: Self.count)
    }

    deinit {
        slots.deallocate()
    }

    @inline(__always)
    subscript(type: Any.Type) -> Leaf {
        let identifier = ObjectIdentifier(type)
        let address = UInt(bitPattern: identifier)
        // Of two types with the same slot the later one takes it.
        let slot = slots + Int(bitPattern: (address >> 3 ^ address >> 13) & UInt(Self.count - 1))
        if slot.pointee.type == identifier { return slot.pointee.leaf }
        return ask(type, slot)
    }

    @inline(never)
    private func ask(_ type: Any.Type, _ slot: UnsafeMutablePointer<Slot>) -> Leaf {
        slot.pointee = Slot(type: ObjectIdentifier(type), leaf: Leaf(type))
        return slot.pointee.leaf
    }
}

extension ByteWriting {
    /// Appends a value of one of the types that have no parts.
    /// - Throws: `EncodingError` for a decimal that is not a number, before anything is appended.
    @inline(__always)
    func append<Value>(_ value: Value, as leaf: Leaf) throws {
        switch leaf {
        case .none, .set, .dictionary: break
        case .bool: append(read(value, Bool.self))
        case .string: append(quoted: read(value, String.self))
        case .int: append(number: read(value, Int.self))
        case .double: append(read(value, Double.self))
        case .float: append(read(value, Float.self))
        case .date: append(read(value, Date.self).timeIntervalSinceReferenceDate)
        case .data: append(quoted: read(value, Data.self).base64EncodedString())
        case .url: append(quoted: read(value, URL.self).absoluteString)
        case .uuid: append(quoted: read(value, UUID.self).uuidString)
        case .decimal:
            let number = read(value, Decimal.self)
            guard number.isFinite else {
                throw EncodingError.invalidValue(
                    number, .init(codingPath: [], debugDescription: "a decimal that is not a number"))
            }
            append(utf8: number.description)
        }
    }

    /// A value whose type is known to be another's: a cast would look that up again.
    @inline(__always)
    private func read<Value, Known>(_ value: Value, _: Known.Type) -> Known {
        withUnsafePointer(to: value) { UnsafeRawPointer($0).assumingMemoryBound(to: Known.self).pointee }
    }

    @inline(__always)
    func append(_ value: Bool) {
        append(value ? "true" : "false" as StaticString)
    }

    /// Appends a number, or as a string what JSON has no number for.
    func append(_ value: Double) {
        if value.isFinite { append(number: value) } else { append(notFinite: value) }
    }

    func append(_ value: Float) {
        if value.isFinite { append(number: value) } else { append(notFinite: Double(value)) }
    }

    private func append(notFinite value: Double) {
        append(value.isNaN ? "\"nan\"" : value < 0 ? "\"-inf\"" : "\"inf\"" as StaticString)
    }
}
