#pragma once
#if __has_include(<zstd.h>)
#include <zstd.h>
#endif
