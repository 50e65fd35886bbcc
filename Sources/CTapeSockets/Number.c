// Reserves the number of a closed descriptor, so that no other file gets it.
#if __has_include(<libwebsockets.h>)
#include "sockets.h"

bool tape_hold_number(int number, struct stat *placeholder) {
    // Each socket is a file of its own, which its status shows.
    int any = tape_open_socket(AF_UNIX), got = any;
    if (any < 0) return false;
    if (any != number) {
        got = fcntl(any, F_DUPFD_CLOEXEC, number);
        close(any);
    }
    if (got == number && !fstat(got, placeholder)) return true;
    if (got >= 0) close(got);
    return false;
}

void tape_release_number(int number, const struct stat *placeholder) {
    struct stat now;
    if (fstat(number, &now)) return;
    if (now.st_ino == placeholder->st_ino && now.st_dev == placeholder->st_dev) close(number);
}

#endif
