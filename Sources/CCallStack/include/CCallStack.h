#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How many recorders want the call stacks of dispatches. Swift has no atomic of its own before iOS 18 and macOS 15.
extern _Atomic(int) call_stack_recorders;

/// Whether a dispatch takes its call stack.
static inline bool call_stacks_are_on(void) {
    return atomic_load_explicit(&call_stack_recorders, memory_order_relaxed) > 0;
}

/// Notes that a recorder wants the call stacks (1), or no longer does (-1).
static inline void call_stack_count(int change) {
    atomic_fetch_add_explicit(&call_stack_recorders, change, memory_order_relaxed);
}

/// Whether this platform's threads have stacks that can be walked.
bool call_stack_is_known(void);

/// Writes the return addresses of the calling thread, the innermost first.
///
/// @return Their count, at most `limit`.
int call_stack_take(uintptr_t *addresses, int limit);

/// A loaded file of code, and a function in it. Swift's module of the GNU library leaves `dladdr` out.
struct call_stack_symbol {
    /// The file's path. Of a program on Linux, it is the name by which it was started.
    const char *file;
    /// Where the file is loaded.
    uintptr_t base;
    /// The function's name as the linker knows it; null if it is unknown.
    const char *name;
};

/// Finds the code at an address.
bool call_stack_find(uintptr_t address, struct call_stack_symbol *found);

/// Finds a function in the symbol table of an ELF file of 64 bits.
///
/// @param address As the file has it, before it is loaded.
/// @return The place of its name among the file's names; 0 if there is none.
uint32_t call_stack_search(const void *symbols, size_t count, uint64_t address);

/// The readable form of a Swift symbol, to be freed; null if it isn't one. Part of Swift's runtime.
char *swift_demangle(const char *name, size_t length, char *buffer, size_t *size, uint32_t flags);
