// Without libwebsockets the package links, but no loop can be created.
#if !__has_include(<libwebsockets.h>)
#include "CTapeSockets.h"

const size_t tape_chunk = 64 * 1024;
tape_loop *tape_loop_create(const tape_events *events, bool many) { (void)events; (void)many; return NULL; }
bool tape_loop_has_libuv(const tape_loop *loop) { (void)loop; return false; }
void tape_loop_turn(tape_loop *loop) { (void)loop; }
void tape_loop_wake(tape_loop *loop) { (void)loop; }
void tape_loop_destroy(tape_loop *loop) { (void)loop; }
void tape_timer_start(tape_loop *loop, int64_t microseconds, void *context) { (void)loop; (void)microseconds; (void)context; }
tape_status tape_listen(
    tape_loop *loop, const tape_listen_options *options, void *owner, tape_listener **listener, int *port, char *reason) {
    (void)loop; (void)options; (void)owner; (void)listener; (void)port; (void)reason;
    return TAPE_UNAVAILABLE;
}
void tape_listener_close(tape_listener *listener) { (void)listener; }
void *tape_listener_owner(const tape_socket *socket) { (void)socket; return NULL; }
tape_socket *tape_connect(tape_loop *loop, const tape_connect_options *options, void *owner) {
    (void)loop; (void)options; (void)owner;
    return NULL;
}
void tape_set_owner(tape_socket *socket, void *owner) { (void)socket; (void)owner; }
void *tape_owner(const tape_socket *socket) { (void)socket; return NULL; }
int tape_answer(const tape_socket *socket, const char **server) {
    (void)socket;
    *server = "";
    return 0;
}
bool tape_has_left(tape_socket *socket) { (void)socket; return false; }
void tape_want_write(tape_socket *socket) { (void)socket; }
bool tape_is_choked(tape_socket *socket) { (void)socket; return true; }
void tape_read(tape_socket *socket, bool on) { (void)socket; (void)on; }
void tape_drop(tape_socket *socket) { (void)socket; }
void tape_timeout(tape_socket *socket, int seconds) { (void)socket; (void)seconds; }
const char *tape_peer(const tape_socket *socket) { (void)socket; return ""; }
bool tape_write(
    tape_socket *socket, const void *head, size_t head_count, const void *bytes, size_t count) {
    (void)socket; (void)head; (void)head_count; (void)bytes; (void)count;
    return false;
}
void tape_finish(tape_socket *socket) { (void)socket; }
void tape_sha1(const void *bytes, size_t count, unsigned char *digest) { (void)bytes; (void)count; (void)digest; }
void tape_http_date(char *buffer) { buffer[0] = 0; }
bool tape_send(tape_socket *socket, const void *bytes, size_t count, bool first, bool last, bool text) {
    (void)socket; (void)bytes; (void)count; (void)first; (void)last; (void)text;
    return false;
}
void tape_set_close(tape_socket *socket, uint16_t code, const char *reason, size_t count) {
    (void)socket; (void)code; (void)reason; (void)count;
}
void tape_confirm_alive(tape_socket *socket) { (void)socket; }
size_t tape_frame_rest(tape_socket *socket) { (void)socket; return 0; }
#endif
