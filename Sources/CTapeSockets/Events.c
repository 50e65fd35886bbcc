// Passes libwebsockets' events of a socket to the socket's owner.
#if __has_include(<libwebsockets.h>)
#include "sockets.h"

enum {
    linger_limit = 64 << 20, // bytes of an unread request to read after the last answer
    linger_most = 30,        // seconds for that
};

void tape_report_end(tape_socket *socket) {
    socket->loop->events->gone(socket, socket->error);
    free(socket->headers);
    free(socket->error);
    free(socket);
}

void tape_end_socket(tape_socket *socket) {
    tape_loop *loop = socket->loop;
    if (!loop->is_ending) {
        tape_report_end(socket);
        return;
    }
    socket->next = loop->ended;
    loop->ended = socket;
}

static int add_headers(tape_socket *socket, unsigned char **cursor, size_t room) {
    size_t count = strlen(socket->headers);
    if (count > room) return -1;
    memcpy(*cursor, socket->headers, count);
    *cursor += count;
    return 0;
}

// During an unfinished write libwebsockets doesn't read, and would spin on incoming data.
void tape_apply_reading(tape_socket *socket) {
    lws_rx_flow_control(socket->wsi, socket->reads && !socket->choked);
}

// A peer that is still sending would lose the answer if a reset followed it.
static int linger(tape_socket *socket, size_t count) {
    socket->lingered += count;
    if (socket->lingered > linger_limit || lws_now_usecs() - socket->finished > linger_most * LWS_US_PER_SEC) return -1;
    tape_timeout(socket, linger_seconds);
    return 0;
}

static int on_server_event(tape_socket *socket, enum lws_callback_reasons reason, void *in, size_t count) {
    switch (reason) {
    case LWS_CALLBACK_RAW_ADOPT:
        // libwebsockets has its own timeout for a TLS handshake.
        if (!lws_is_ssl(socket->wsi)) tape_timeout(socket, handshake_seconds);
        return 0;
    case LWS_CALLBACK_RAW_RX:
        if (socket->finishing) return linger(socket, count);
        socket->loop->events->received(socket, in, count);
        return 0;
    case LWS_CALLBACK_RAW_WRITEABLE:
        if (socket->choked) {
            socket->choked = false;
            tape_apply_reading(socket);
        }
        return socket->finishing || socket->loop->events->writable(socket) ? 0 : -1;
    default:
        return 0;
    }
}

static int on_client_event(tape_socket *socket, enum lws_callback_reasons reason, void *in, size_t count) {
    const tape_events *events = socket->loop->events;
    const unsigned char *bytes = in;
    struct lws *wsi = socket->wsi;
    switch (reason) {
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        events->opened(socket);
        return 0;
    case LWS_CALLBACK_CLIENT_RECEIVE:
        events->piece(
            socket, in, count, lws_is_first_fragment(wsi), lws_is_final_fragment(wsi), !lws_frame_is_binary(wsi));
        return 0;
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        return events->writable(socket) ? 0 : -1;
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        if (count < 2)
            events->close_received(socket, 1005, "", 0);
        else
            events->close_received(socket, (uint16_t)(bytes[0] << 8 | bytes[1]), (const char *)bytes + 2, count - 2);
        return 0;
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
        return add_headers(socket, in, count);
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        if (!socket->error) socket->error = in && count ? strndup(in, count) : NULL;
        socket->status = (int)lws_http_client_http_response(wsi);
        if (socket->status && lws_hdr_copy(wsi, socket->server, sizeof socket->server, WSI_TOKEN_HTTP_SERVER) < 0)
            socket->server[0] = 0;
        return 0;
    default:
        return 0;
    }
}

int tape_on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t count) {
    (void)user;
    // libwebsockets also calls this for objects that are not connections.
    switch (reason) {
    case LWS_CALLBACK_RAW_ADOPT:
    case LWS_CALLBACK_RAW_RX:
    case LWS_CALLBACK_RAW_WRITEABLE:
    case LWS_CALLBACK_RAW_CLOSE:
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
    case LWS_CALLBACK_CLIENT_RECEIVE:
    case LWS_CALLBACK_CLIENT_WRITEABLE:
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
    case LWS_CALLBACK_WSI_DESTROY:
        break;
    default:
        return 0;
    }
    tape_socket *socket = lws_get_opaque_user_data(wsi);
    if (!socket) return 0;
    socket->wsi = wsi;
    // On libuv a closed socket is destroyed one turn later, and must not be used until then.
    if (reason == LWS_CALLBACK_WSI_DESTROY || reason == LWS_CALLBACK_RAW_CLOSE) {
        lws_set_opaque_user_data(wsi, NULL);
        socket->dead = true;
        if (!socket->starting) tape_end_socket(socket);
        return 0;
    }
    return socket->listener ? on_server_event(socket, reason, in, count) : on_client_event(socket, reason, in, count);
}

#endif
