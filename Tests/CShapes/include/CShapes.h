// Structs whose members Swift imports in part only, and numbers to set and read each of them by.

#ifndef CSHAPES_H
#define CSHAPES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int32_t exponent : 8;
    uint32_t length : 4;
    uint32_t is_negative : 1;
    uint32_t is_compact : 1;
    uint32_t reserved : 18;
    uint16_t mantissa[8];
} cs_decimal;

typedef struct {
    uint32_t first : 3;
    uint32_t second : 29;
} cs_bits;

typedef struct {
    char before;
    uint64_t wide : 40;
    uint64_t narrow : 24;
} cs_wide_bits;

typedef struct {
    int32_t number;
    bool first : 1;
    bool second : 1;
} cs_flags;

typedef struct {
    int32_t kind;
    union {
        int32_t whole;
        double real;
    };
} cs_anonymous_union;

typedef struct {
    int32_t kind;
    struct {
        int32_t x;
        int32_t y;
    };
} cs_anonymous_struct;

typedef struct {
    int32_t kind;
    union {
        int32_t whole;
        double real;
    } value;
} cs_named_union;

typedef struct {
    int32_t kind;
    _Complex double value;
} cs_complex;

typedef struct {
    int32_t kind;
    _Complex float value;
} cs_complex_float;

typedef struct {
    int32_t kind;
    _Atomic(int32_t) value;
} cs_atomic;

typedef struct {
    int32_t kind;
    __int128 value;
} cs_int128;

typedef struct {
    char first;
    double second;
    char third;
} cs_padded;

typedef struct __attribute__((packed)) {
    char first;
    double second;
    uint16_t third : 5;
    uint16_t fourth : 11;
} cs_packed;

typedef struct {
    char first;
    char large[5000];
} cs_large;

typedef struct {
    int32_t kind;
    int32_t *address;
} cs_pointer;

typedef struct {
    int32_t kind;
    union {
        int32_t *address;
        int64_t number;
    };
} cs_hidden_pointer;

typedef float cs_four __attribute__((vector_size(16)));

typedef struct {
    int32_t kind;
    cs_four value;
} cs_vector;

typedef enum { cs_red, cs_green, cs_blue } cs_colour;

typedef struct {
    cs_colour colour;
    cs_bits bits;
    cs_padded padded;
    int16_t row[3];
} cs_nested;

// Each has so many numbers, by which it is read and set.
#define CS_SHAPE(name, count) \
    enum { name##_count = count }; \
    int64_t name##_read(const name *value, int32_t index); \
    void name##_write(name *value, int32_t index, int64_t number);

CS_SHAPE(cs_decimal, 13)
CS_SHAPE(cs_bits, 2)
CS_SHAPE(cs_wide_bits, 3)
CS_SHAPE(cs_flags, 3)
CS_SHAPE(cs_anonymous_union, 2)
CS_SHAPE(cs_anonymous_struct, 3)
CS_SHAPE(cs_named_union, 2)
CS_SHAPE(cs_complex, 3)
CS_SHAPE(cs_complex_float, 3)
CS_SHAPE(cs_atomic, 2)
CS_SHAPE(cs_int128, 3)
CS_SHAPE(cs_padded, 3)
CS_SHAPE(cs_packed, 4)
CS_SHAPE(cs_large, 3)
CS_SHAPE(cs_pointer, 2)
CS_SHAPE(cs_hidden_pointer, 2)
CS_SHAPE(cs_vector, 5)
CS_SHAPE(cs_nested, 9)

#undef CS_SHAPE

#endif
