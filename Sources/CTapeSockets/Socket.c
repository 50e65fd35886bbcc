// The operations of a socket.
#if __has_include(<libwebsockets.h>)
#include "sockets.h"

void tape_set_owner(tape_socket *socket, void *owner) { socket->owner = owner; }

void *tape_owner(const tape_socket *socket) { return socket->owner; }

int tape_answer(const tape_socket *socket, const char **server) {
    *server = socket->server;
    return socket->status;
}

bool tape_has_left(tape_socket *socket) {
#ifdef POLLRDHUP
    struct pollfd poller = {.fd = lws_get_socket_fd(socket->wsi), .events = POLLRDHUP};
    return poll(&poller, 1, 0) == 1;
#else
    char byte;
    return recv(lws_get_socket_fd(socket->wsi), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
#endif
}

void tape_want_write(tape_socket *socket) { lws_callback_on_writable(socket->wsi); }

bool tape_is_choked(tape_socket *socket) { return lws_partial_buffered(socket->wsi); }

void tape_read(tape_socket *socket, bool on) {
    socket->reads = on;
    tape_apply_reading(socket);
}

void tape_drop(tape_socket *socket) {
    lws_set_timeout(socket->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
}

void tape_timeout(tape_socket *socket, int seconds) {
    lws_set_timeout(
        socket->wsi, seconds ? PENDING_TIMEOUT_USER_REASON_BASE : NO_PENDING_TIMEOUT, seconds);
}

const char *tape_peer(const tape_socket *socket) { return socket->peer; }

bool tape_write(
    tape_socket *socket, const void *head, size_t head_count, const void *bytes, size_t count) {
    if (head_count > frame_head || count > chunk) return false;
    unsigned char *start = socket->loop->scratch + LWS_PRE;
    if (head_count) memcpy(start, head, head_count);
    if (count) memcpy(start + head_count, bytes, count);
    if (lws_write(socket->wsi, start, head_count + count, LWS_WRITE_RAW) < 0) return false;
    if (!socket->choked && lws_partial_buffered(socket->wsi)) {
        socket->choked = true;
        tape_apply_reading(socket);
    }
    return true;
}

void tape_finish(tape_socket *socket) {
    if (socket->finishing) return;
    socket->finishing = true;
    socket->finished = lws_now_usecs();
    // libwebsockets closes a raw socket at once. With unread input, the peer would lose the last bytes written.
    SSL *ssl = lws_get_ssl(socket->wsi);
    if (ssl) SSL_shutdown(ssl);
    shutdown(lws_get_socket_fd(socket->wsi), SHUT_WR);
    tape_read(socket, true);
    tape_timeout(socket, linger_seconds);
}

void tape_sha1(const void *bytes, size_t count, unsigned char *digest) { lws_SHA1(bytes, count, digest); }

void tape_http_date(char *buffer) {
    time_t now = time(NULL);
    struct tm parts;
    gmtime_r(&now, &parts);
    strftime(buffer, 32, "%a, %d %b %Y %H:%M:%S GMT", &parts);
}

#endif
