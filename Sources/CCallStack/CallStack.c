#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CCallStack.h"

#if defined(__APPLE__)
#define HAS_SYSTEM_WALK 1
#include <dlfcn.h>
#include <execinfo.h>
#elif defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define HAS_FRAME_POINTERS 1
#include <dlfcn.h>
#include <pthread.h>
#endif

_Atomic(int) call_stack_recorders = 0;

bool call_stack_is_known(void) {
#if defined(HAS_SYSTEM_WALK) || defined(HAS_FRAME_POINTERS)
    return true;
#else
    return false;
#endif
}

bool call_stack_find(uintptr_t address, struct call_stack_symbol *found) {
#if defined(HAS_SYSTEM_WALK) || defined(HAS_FRAME_POINTERS)
    Dl_info info;
    if (dladdr((const void *)address, &info) == 0) return false;
    found->file = info.dli_fname;
    found->base = (uintptr_t)info.dli_fbase;
    found->name = info.dli_sname;
    return true;
#else
    (void)address;
    (void)found;
    return false;
#endif
}

uint32_t call_stack_search(const void *symbols, size_t count, uint64_t address) {
    // Elf64_Sym, which only Linux declares.
    struct symbol {
        uint32_t name;
        uint8_t info;
        uint8_t other;
        uint16_t section;
        uint64_t value;
        uint64_t size;
    };
    const uint8_t function = 2;
    for (const struct symbol *one = symbols; count > 0; one += 1, count -= 1) {
        if ((one->info & 0xf) == function && address - one->value < one->size) return one->name;
    }
    return 0;
}

#if defined(HAS_SYSTEM_WALK)

int call_stack_take(uintptr_t *addresses, int limit) { return backtrace((void **)addresses, limit); }

#elif defined(HAS_FRAME_POINTERS)

/// The end of this thread's stack. Finding it reads a file, so each thread does it once.
static uintptr_t stack_end(void) {
    static _Thread_local uintptr_t known;
    if (known != 0) return known;
    known = 1;
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return known;
    void *lowest;
    size_t size;
    if (pthread_attr_getstack(&attributes, &lowest, &size) == 0) known = (uintptr_t)lowest + size;
    pthread_attr_destroy(&attributes);
    return known;
}

/// Follows the frame pointers, which Swift's compiler keeps. That is about 80 times faster than `backtrace`, which unwinds
/// by tables. In code without them, a frame pointer may be anything. So each one must lie on the stack, above the one
/// before.
__attribute__((noinline, no_sanitize("address", "thread"))) int call_stack_take(uintptr_t *addresses, int limit) {
    // Swift marks the frames of async functions with this bit.
    const uintptr_t async_mark = (uintptr_t)1 << 60;
    const uintptr_t end = stack_end();
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    int count = 0;
    while (count < limit && frame % sizeof(uintptr_t) == 0 && frame + 2 * sizeof(uintptr_t) <= end) {
        const uintptr_t *record = (const uintptr_t *)frame;
        if (record[1] == 0) break;
        addresses[count++] = record[1];
        const uintptr_t next = record[0] & ~async_mark;
        if (next <= frame) break;
        frame = next;
    }
    return count;
}

#else

int call_stack_take(uintptr_t *addresses, int limit) {
    (void)addresses;
    (void)limit;
    return 0;
}

#endif
