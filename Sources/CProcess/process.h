#pragma once

#ifdef __linux__
#include <sys/prctl.h>

/// Swift can't call functions with a variable number of arguments.
static inline int become_subreaper(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }
#endif
