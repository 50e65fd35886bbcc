#pragma once
#if __has_include(<libwebsockets.h>)
#include <libwebsockets.h>
#endif
