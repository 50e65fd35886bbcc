#include "CShapes.h"

#include <stddef.h>

#define READ(name) int64_t name##_read(const name *value, int32_t index)
#define WRITE(name) void name##_write(name *value, int32_t index, int64_t number)

// Members in their order. The last one takes what is left.
#define SHAPE2(name, a, b) \
    READ(name) { return index == 0 ? (int64_t)value->a : (int64_t)value->b; } \
    WRITE(name) { if (index == 0) value->a = number; else value->b = number; }
#define SHAPE3(name, a, b, c) \
    READ(name) { return index == 0 ? (int64_t)value->a : index == 1 ? (int64_t)value->b : (int64_t)value->c; } \
    WRITE(name) { if (index == 0) value->a = number; else if (index == 1) value->b = number; else value->c = number; }

SHAPE2(cs_bits, first, second)
SHAPE3(cs_wide_bits, before, wide, narrow)
SHAPE3(cs_flags, number, first, second)
SHAPE2(cs_anonymous_union, kind, real)
SHAPE3(cs_anonymous_struct, kind, x, y)
SHAPE2(cs_named_union, kind, value.real)
SHAPE2(cs_atomic, kind, value)
SHAPE3(cs_padded, first, second, third)

READ(cs_decimal) {
    switch (index) {
    case 0: return value->exponent;
    case 1: return value->length;
    case 2: return value->is_negative;
    case 3: return value->is_compact;
    case 4: return value->reserved;
    default: return value->mantissa[index - 5];
    }
}

WRITE(cs_decimal) {
    switch (index) {
    case 0: value->exponent = number; break;
    case 1: value->length = number; break;
    case 2: value->is_negative = number; break;
    case 3: value->is_compact = number; break;
    case 4: value->reserved = number; break;
    default: value->mantissa[index - 5] = number;
    }
}

READ(cs_complex) {
    return index == 0 ? value->kind : (int64_t)(index == 1 ? __real__ value->value : __imag__ value->value);
}

WRITE(cs_complex) {
    if (index == 0) value->kind = number;
    else if (index == 1) __real__ value->value = number;
    else __imag__ value->value = number;
}

READ(cs_complex_float) {
    return index == 0 ? value->kind : (int64_t)(index == 1 ? __real__ value->value : __imag__ value->value);
}

WRITE(cs_complex_float) {
    if (index == 0) value->kind = number;
    else if (index == 1) __real__ value->value = number;
    else __imag__ value->value = number;
}

READ(cs_int128) {
    return index == 0 ? value->kind : (int64_t)(index == 1 ? value->value >> 64 : value->value);
}

WRITE(cs_int128) {
    unsigned __int128 whole = value->value;
    if (index == 0) value->kind = number;
    else if (index == 1) value->value = (unsigned __int128)number << 64 | (uint64_t)whole;
    else value->value = whole >> 64 << 64 | (uint64_t)number;
}

READ(cs_packed) {
    switch (index) {
    case 0: return value->first;
    case 1: return (int64_t)value->second;
    case 2: return value->third;
    default: return value->fourth;
    }
}

WRITE(cs_packed) {
    switch (index) {
    case 0: value->first = number; break;
    case 1: value->second = number; break;
    case 2: value->third = number; break;
    default: value->fourth = number;
    }
}

READ(cs_large) { return index == 0 ? value->first : index == 1 ? value->large[0] : value->large[4999]; }
WRITE(cs_large) { *(index == 0 ? &value->first : index == 1 ? &value->large[0] : &value->large[4999]) = number; }

// What an address leads to changes in place, and the address doesn't.
READ(cs_pointer) { return index == 0 ? value->kind : value->address ? *value->address : -1; }
WRITE(cs_pointer) {
    if (index == 0) value->kind = number;
    else if (value->address) *value->address = number;
}

READ(cs_hidden_pointer) { return index == 0 ? value->kind : value->address ? *value->address : -1; }
WRITE(cs_hidden_pointer) {
    if (index == 0) value->kind = number;
    else if (value->address) *value->address = number;
}

READ(cs_vector) { return index == 0 ? value->kind : (int64_t)value->value[index - 1]; }
WRITE(cs_vector) {
    if (index == 0) value->kind = number;
    else value->value[index - 1] = number;
}

READ(cs_nested) {
    switch (index) {
    case 0: return value->colour;
    case 1: case 2: return cs_bits_read(&value->bits, index - 1);
    case 3: case 4: case 5: return cs_padded_read(&value->padded, index - 3);
    default: return value->row[index - 6];
    }
}

WRITE(cs_nested) {
    switch (index) {
    case 0: value->colour = number & 1; break;
    case 1: case 2: cs_bits_write(&value->bits, index - 1, number); break;
    case 3: case 4: case 5: cs_padded_write(&value->padded, index - 3, number); break;
    default: value->row[index - 6] = number;
    }
}
