#pragma once
#define PCRE2_CODE_UNIT_WIDTH 8
#if __has_include(<pcre2.h>)
#include <pcre2.h>
#endif
