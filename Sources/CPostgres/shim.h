#pragma once
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#endif
