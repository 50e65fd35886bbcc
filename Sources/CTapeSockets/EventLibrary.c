// Waits through libuv if many connections are expected: poll() checks all of them on every turn.
#if __has_include(<libwebsockets.h>)
#include "sockets.h"

#if defined(__linux__) && defined(LWS_WITH_EVLIB_PLUGINS) && defined(LWS_WITH_LIBUV) && __has_include(<uv.h>)
#include <dlfcn.h>
#include <uv.h>

// The few functions of libuv that are needed. They are looked up at run time, so that programs without a server don't
// need libuv.
static size_t (*loop_size)(void);
static int (*loop_init)(void *loop);
static int (*loop_run)(void *loop, int mode);
static int (*loop_close)(void *loop);
static void (*walk)(uv_loop_t *loop, uv_walk_cb body, void *context);
static int (*descriptor_of)(const uv_handle_t *handle, uv_os_fd_t *descriptor);

// libwebsockets only looks for the plugin in this folder.
#define plugin LWS_INSTALL_LIBDIR "/libwebsockets-evlib_uv.so"

static bool load(void) {
    static bool is_loaded;
    if (is_loaded) return true;
    // Never closed, so that the end of one loop doesn't unload code that another loop runs.
    if (!dlopen(plugin, RTLD_NOW | RTLD_LOCAL)) return false;
    void *library = dlopen("libuv.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    *(void **)&loop_size = dlsym(library, "uv_loop_size");
    *(void **)&loop_init = dlsym(library, "uv_loop_init");
    *(void **)&loop_run = dlsym(library, "uv_run");
    *(void **)&loop_close = dlsym(library, "uv_loop_close");
    *(void **)&walk = dlsym(library, "uv_walk");
    *(void **)&descriptor_of = dlsym(library, "uv_fileno");
    is_loaded = loop_size && loop_init && loop_run && loop_close && walk && descriptor_of;
    return is_loaded;
}

// The loop is ours: libwebsockets would run its own forever and catch the process's signals.
void *tape_uv_create(void) {
    if (!load()) return NULL;
    void *uv = calloc(1, loop_size());
    if (uv && !loop_init(uv)) return uv;
    free(uv);
    return NULL;
}

int tape_uv_descriptor(void *handle) {
    uv_os_fd_t descriptor;
    return handle && !descriptor_of(handle, &descriptor) ? descriptor : -1;
}

static void find(uv_handle_t *handle, void *found) {
    if (tape_uv_descriptor(handle) >= 0) *(void **)found = handle;
}

void *tape_uv_event_pipe(void *uv) {
    void *found = NULL;
    walk(uv, find, &found);
    return found;
}

static void ignore(uv_handle_t *handle) { (void)handle; }

void tape_uv_abandon(void *handle) { ((uv_handle_t *)handle)->close_cb = ignore; }

void tape_uv_turn(void *uv) { loop_run(uv, UV_RUN_ONCE); }

bool tape_uv_destroy(void *uv) {
    // A handle closes one turn after the request, and closing the last connection closes more handles.
    for (int left = 1000; left > 0 && loop_run(uv, UV_RUN_NOWAIT); left--) continue;
    if (loop_close(uv)) return false;
    free(uv);
    return true;
}

#else

void *tape_uv_create(void) { return NULL; }
void *tape_uv_event_pipe(void *uv) { (void)uv; return NULL; }
int tape_uv_descriptor(void *handle) { (void)handle; return -1; }
void tape_uv_abandon(void *handle) { (void)handle; }
void tape_uv_turn(void *uv) { (void)uv; }
bool tape_uv_destroy(void *uv) { (void)uv; return true; }

#endif
#endif
