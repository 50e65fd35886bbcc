import CShapes

extension cs_decimal: CStruct {
    static var access: CAccess<Self> {
        CAccess(count: Int(cs_decimal_count), read: cs_decimal_read, write: cs_decimal_write)
    }
}

extension cs_bits: CStruct {
    static var access: CAccess<Self> { CAccess(count: Int(cs_bits_count), read: cs_bits_read, write: cs_bits_write) }
}

extension cs_wide_bits: CStruct {
    static var access: CAccess<Self> {
        CAccess(count: Int(cs_wide_bits_count), read: cs_wide_bits_read, write: cs_wide_bits_write)
    }
    static var isValue: Bool { false }
}

extension cs_flags: CStruct {
    static var access: CAccess<Self> { CAccess(count: Int(cs_flags_count), read: cs_flags_read, write: cs_flags_write) }
}

extension cs_anonymous_union: CStruct {
    static var access: CAccess<Self> {
        CAccess(count: Int(cs_anonymous_union_count), read: cs_anonymous_union_read, write: cs_anonymous_union_write)
    }
    static var isValue: Bool { false }
}

extension cs_anonymous_struct: CStruct {
    static var access: CAccess<Self> {
        CAccess(count: Int(cs_anonymous_struct_count), read: cs_anonymous_struct_read, write: cs_anonymous_struct_write)
    }
    static var isValue: Bool { false }
}

extension cs_named_union: CStruct {
    static var access: CAccess<Self> {
        CAccess(count: Int(cs_named_union_count), read: cs_named_union_read, write: cs_named_union_write)
    }
    static var isValue: Bool { false }
}

extension cs_complex: CStruct {
    static var access: CAccess<Self> {
        CAccess(count: Int(cs_complex_count), read: cs_complex_read, write: cs_complex_write)
    }
    static var isValue: Bool { false }
}

extension cs_complex_float: CStruct {
    static var access: CAccess<Self> {
        CAccess(count: Int(cs_complex_float_count), read: cs_complex_float_read, write: cs_complex_float_write)
    }
    static var isValue: Bool { false }
}

extension cs_atomic: CStruct {
    static var access: CAccess<Self> {
        CAccess(count: Int(cs_atomic_count), read: cs_atomic_read, write: cs_atomic_write)
    }
}

extension cs_int128: CStruct {
    static var access: CAccess<Self> {
        CAccess(count: Int(cs_int128_count), read: cs_int128_read, write: cs_int128_write)
    }
    static var isValue: Bool { false }
}

extension cs_padded: CStruct {
    static var access: CAccess<Self> {
        CAccess(count: Int(cs_padded_count), read: cs_padded_read, write: cs_padded_write)
    }
}

extension cs_packed: CStruct {
    static var access: CAccess<Self> {
        CAccess(count: Int(cs_packed_count), read: cs_packed_read, write: cs_packed_write)
    }
}

extension cs_large: CStruct {
    static var access: CAccess<Self> { CAccess(count: Int(cs_large_count), read: cs_large_read, write: cs_large_write) }
    static var isValue: Bool { false }
}

extension cs_pointer: CStruct {
    static var access: CAccess<Self> {
        CAccess(count: Int(cs_pointer_count), read: cs_pointer_read, write: cs_pointer_write)
    }
    static var isValue: Bool { false }

    // Never freed: any copy of the state may use it.
    static func make() -> Self {
        var made = Self()
        made.address = .allocate(capacity: 1)
        made.address.pointee = 0
        return made
    }
}

extension cs_hidden_pointer: CStruct {
    static var access: CAccess<Self> {
        CAccess(count: Int(cs_hidden_pointer_count), read: cs_hidden_pointer_read, write: cs_hidden_pointer_write)
    }
    static var isValue: Bool { false }

    // Never freed: any copy of the state may use it.
    static func make() -> Self {
        var made = Self()
        made.address = .allocate(capacity: 1)
        made.address.pointee = 0
        return made
    }
}

extension cs_vector: CStruct {
    static var access: CAccess<Self> {
        CAccess(count: Int(cs_vector_count), read: cs_vector_read, write: cs_vector_write)
    }
    static var isValue: Bool { false }
}

extension cs_nested: CStruct {
    static var access: CAccess<Self> {
        CAccess(count: Int(cs_nested_count), read: cs_nested_read, write: cs_nested_write)
    }
}
