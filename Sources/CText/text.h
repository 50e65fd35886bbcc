#pragma once

#include <stddef.h>

/// In every C library; Swift's module of the GNU one leaves it out.
void *memmem(const void *bytes, size_t count, const void *text, size_t length);
