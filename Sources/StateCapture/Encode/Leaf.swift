import Foundation
import TapeFormat

/// How a type is written: what the encoder knows about it without calling its `encode(to:)`.
enum Leaf: UInt8 {
    case none
    // Sorted, because their own order varies.
    case set
    case dictionary
    // Alternating keys and values, in their own order.
    case pairs
    // Perhaps alternating names and values: by a type that is not a list.
    case named
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
    case redacted

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
            case is Redacted.Type: .redacted
            case let type as any KnownLeaf.Type: type.leaf
            default: .pairs(type)
            }
    }
}

/// One cast finds the leaf. No type of an app conforms, so the cast looks up no conformance of an app.
protocol KnownLeaf {
    static var leaf: Leaf { get }
}

extension Set: KnownLeaf { static var leaf: Leaf { .set } }
extension Dictionary: KnownLeaf { static var leaf: Leaf { .dictionary } }
extension Reflected: KnownLeaf { static var leaf: Leaf { .none } }

extension Leaf {
    private static let pairTypes: Set<String> = [
        "OrderedCollections.OrderedDictionary", "HashTreeCollections.TreeDictionary",
    ]
    /// Known types, cached because making a name is slow.
    private static let known = Locked<[ObjectIdentifier: Leaf]>([:])

    /// Whether the elements that a type writes are alternating keys and values, in their own order, or perhaps names
    /// and values, since it is not a list.
    fileprivate static func pairs(_ type: Any.Type) -> Leaf {
        let id = ObjectIdentifier(type)
        if let known = known.withLock({ $0[id] }) { return known }
        let isPairs = pairTypes.contains(ValueTypes.name(of: type))
        let found: Leaf = isPairs ? .pairs : type is any Sequence.Type ? .none : .named
        known.withLock { $0[id] = found }
        return found
    }
}

/// Facts about known types, found by the address of their metadata.
final class LeafTable {
    private struct Slot {
        var type: ObjectIdentifier?
        var leaf: Leaf
    }

    private static let count = 512
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
        // If two types have the same slot, the later one takes it.
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

extension DirectEncoder {
    /// Appends a value of a type without parts.
    /// - Parameter value: The address of a value of the leaf's type. A cast would have to look up the type again.
    func append(_ value: UnsafeRawPointer, as leaf: Leaf, to bytes: BorrowedBytes) {
        func read<Value>(_: Value.Type) -> Value { value.assumingMemoryBound(to: Value.self).pointee }
        switch leaf {
        case .none, .set, .dictionary, .pairs, .named: break
        case .redacted: bytes.append(Redacted.text)
        case .bool: bytes.append(read(Bool.self))
        case .string: append(read(String.self), to: bytes)
        case .int: bytes.append(number: read(Int.self))
        case .double: bytes.append(read(Double.self))
        case .float: bytes.append(read(Float.self))
        case .date: bytes.append(read(Date.self).timeIntervalSinceReferenceDate)
        case .data: append(read(Data.self), to: bytes)
        case .url: append(read(URL.self).absoluteString, to: bytes)
        case .uuid: bytes.append(quoted: read(UUID.self).uuidString)
        case .decimal:
            // As for `Double`. A decimal has no infinity.
            let number = read(Decimal.self)
            if number.isNaN { bytes.append("\"nan\"") } else { bytes.append(utf8: number.description) }
        }
    }
}

extension ByteWriting {
    @inline(__always)
    package func append(_ value: Bool) {
        append(value ? "true" : "false" as StaticString)
    }

    /// Appends a number, or a string if JSON has no such number.
    package func append(_ value: some BinaryFloatingPoint & CustomStringConvertible) {
        if value.isFinite { return append(number: value) }
        append(value.isNaN ? "\"nan\"" : value < 0 ? "\"-inf\"" : "\"inf\"" as StaticString)
    }
}
