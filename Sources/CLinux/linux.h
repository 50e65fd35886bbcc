#pragma once

#ifdef __linux__
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/vfs.h>
#include <unistd.h>

/// Swift can't call functions with a variable number of arguments.
static inline int become_subreaper(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

/// The kernel's number of the file system that a path is on; 0 if there is none. Swift's module of the C library leaves
/// `statfs` out.
static inline unsigned int file_system_type(const char *path) {
    struct statfs info;
    return statfs(path, &info) == 0 ? (unsigned int)info.f_type : 0;
}

/// Where a sparse file has its next bytes, from a place on. Swift's module of the C library leaves `SEEK_DATA` out.
static inline off_t next_data(int file, off_t from) {
    const int seek_data = 3;
    return lseek(file, from, seek_data);
}
#endif
