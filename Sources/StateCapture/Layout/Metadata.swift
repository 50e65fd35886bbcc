/// Facts about a type from the runtime: its kind, its stored fields and its generic arguments.
///
/// The facts come from the type's metadata, whose layout is part of Swift's stable ABI (`docs/ABI/TypeMetadata.rst` and
/// `include/swift/ABI/Metadata.h` in Swift's repository). This is the one door to
/// it, with a self-test (``isReadable``): where that fails, a type has its kind and no other facts, and states are encoded
/// whole.
struct Metadata {
    enum Kind: UInt {
        case `struct` = 0x200
        case `enum` = 0x201
        case optional = 0x202
        case opaque = 0x300
        case tuple = 0x301
        case metatype = 0x304
        case existentialMetatype = 0x306
        case fixedArray = 0x308
    }

    /// A stored property of a struct, a case of an enum, an element of a tuple.
    struct Field {
        let name: String
        /// Nil for a case without a value.
        let type: Any.Type?
        /// In bytes from the value's start; 0 for an enum case's value.
        let offset: Int
        /// Whether a case's value is in its own box.
        var isIndirect = false
    }

    let type: Any.Type
    private let address: UnsafeRawPointer
    /// Whether more than the kind may be read.
    private let isOpen: Bool

    /// - Parameter isOpen: True in the self-test, which reads types before it is known whether they can be read.
    init(_ type: Any.Type, isOpen: Bool = Self.isReadable) {
        self.type = type
        self.isOpen = isOpen
        // A metatype is a pointer to its type's metadata.
        address = unsafeBitCast(type, to: UnsafeRawPointer.self)
    }

    /// Nil for classes, functions, existentials and other types that are not plain values.
    var kind: Kind? { Kind(rawValue: address.load(as: UInt.self)) }

    /// The declaration that types with different generic arguments share; nil except for structs and enums.
    private var declaration: UnsafeRawPointer? {
        switch kind {
        case _ where !isOpen: nil
        case .struct, .enum, .optional: address.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
        default: nil
        }
    }

    var declarationID: UInt? { declaration.map { UInt(bitPattern: $0) } }

    /// The fields; nil if they can't be read.
    var fields: [Field]? {
        kind == .tuple && isOpen ? elements : declaration.flatMap(fields(of:))
    }

    /// The generic arguments; nil if they can't be read.
    var arguments: [Any.Type]? {
        guard let declaration else { return nil }
        let flags = declaration.load(as: UInt32.self)
        guard flags & 0x80 != 0 else { return [] }
        let (parameters, keys) = (
            Int(declaration.load(fromByteOffset: 36, as: UInt16.self)),
            Int(declaration.load(fromByteOffset: 40, as: UInt16.self))
        )
        // Each parameter must be a type with its own argument (0x80): no packs, no values, no parameters made equal.
        let isPlain = (0..<parameters).allSatisfy {
            declaration.load(fromByteOffset: 44 + $0, as: UInt8.self) == 0x80
        }
        guard isPlain, parameters <= keys else { return nil }
        return (0..<parameters).map { address.load(fromByteOffset: 16 + 8 * $0, as: Any.Type.self) }
    }

    /// The count and the element type of the builtin array that an `InlineArray` stores.
    var fixedArray: (count: Int, element: Any.Type)? {
        guard kind == .fixedArray, isOpen else { return nil }
        return (address.load(fromByteOffset: 8, as: Int.self), address.load(fromByteOffset: 16, as: Any.Type.self))
    }

    /// The count and the element type of an `InlineArray`, whose one field is such an array.
    var inlineArray: (count: Int, element: Any.Type)? {
        guard kind == .struct, let fields, fields.count == 1, let type = fields[0].type else { return nil }
        // An array without elements stores nothing.
        if type == Void.self, fields[0].name == "_storage" { return (0, type) }
        return Metadata(type).fixedArray
    }

    /// Whether a type was imported from C.
    var isForeign: Bool {
        // How the metadata is initialized: 2 for types that several modules may contain.
        guard kind == .struct || kind == .enum, let declaration else { return false }
        return declaration.load(as: UInt32.self) >> 16 & 3 == 2
    }

    /// The labels of a tuple's elements, nil for one without a label; nil if they can't be read.
    var labels: [String?]? {
        guard kind == .tuple, isOpen else { return nil }
        let count = address.load(fromByteOffset: 8, as: Int.self)
        guard let start = address.load(fromByteOffset: 16, as: UnsafePointer<CChar>?.self) else {
            return Array(repeating: nil, count: count)
        }
        // Each ends with a space.
        let labels = String(cString: start).split(separator: " ", omittingEmptySubsequences: false)
        guard labels.count == count + 1 else { return nil }
        return labels.dropLast().map { $0.isEmpty ? nil : String($0) }
    }

    private var elements: [Field] {
        let count = address.load(fromByteOffset: 8, as: Int.self)
        return (0..<count).map { index in
            let element = address + 24 + 16 * index
            return Field(
                name: String(index), type: element.load(as: Any.Type.self),
                offset: Int(element.load(fromByteOffset: 8, as: UInt32.self)))
        }
    }

    private func fields(of declaration: UnsafeRawPointer) -> [Field]? {
        guard let records = Self.target(declaration + 16) else { return nil }
        let size = Int(records.load(fromByteOffset: 10, as: UInt16.self))
        let count = Int(records.load(fromByteOffset: 12, as: UInt32.self))
        let offsets = address + 8 * Int(declaration.load(fromByteOffset: 24, as: UInt32.self))
        var fields: [Field] = []
        for index in 0..<count {
            let record = records + 16 + size * index
            guard let name = Self.target(record + 8) else { return nil }
            var field: Any.Type?
            if let mangled = Self.target(record + 4) {
                field = named(mangled, in: declaration)
                guard field != nil else { return nil }
            }
            let offset = kind == .struct ? Int(offsets.load(fromByteOffset: 4 * index, as: UInt32.self)) : 0
            fields.append(
                Field(
                    name: String(cString: name.assumingMemoryBound(to: CChar.self)), type: field, offset: offset,
                    isIndirect: record.load(as: UInt32.self) & 1 != 0))
        }
        return fields
    }

    private func named(_ mangled: UnsafeRawPointer, in declaration: UnsafeRawPointer) -> Any.Type? {
        let name = mangled.assumingMemoryBound(to: UInt8.self)
        var length = 0
        while name[length] != 0 {
            // References appear inside as a control byte and an address, relative or absolute.
            length += name[length] <= 0x17 ? 5 : name[length] <= 0x1f ? 9 : 1
        }
        return _getTypeByMangledNameInContext(
            name, UInt(length), genericContext: declaration, genericArguments: address + 16)
    }

    /// Follows an address relative to its own place; nil if it is 0.
    private static func target(_ place: UnsafeRawPointer) -> UnsafeRawPointer? {
        let distance = place.load(as: Int32.self)
        return distance == 0 ? nil : place + Int(distance)
    }
}
