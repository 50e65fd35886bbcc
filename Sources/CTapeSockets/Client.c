// An app's connection to a server.
#if __has_include(<libwebsockets.h>)
#include "sockets.h"

static const lws_retry_bo_t client_alive = {.secs_since_valid_ping = 20, .secs_since_valid_hangup = 60};

static struct lws_vhost *client_vhost(tape_loop *loop, bool tls, const char *authority) {
    for (struct tape_client *each = loop->clients; each; each = each->next) {
        bool same = each->authority && authority ? !strcmp(each->authority, authority) : each->authority == authority;
        if (each->tls == tls && same) return each->vhost;
    }
    struct tape_client *client = calloc(1, sizeof *client);
    if (!client) return NULL;
    client->tls = tls;
    client->authority = authority ? strdup(authority) : NULL;
    // Without it, every authority that the system trusts would be accepted.
    if (authority && !client->authority) {
        free(client);
        return NULL;
    }
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .protocols = loop->protocols,
        .vhost_name = tls ? "/tls" : "/plain",
        .retry_and_idle_policy = &client_alive,
        .connect_timeout_secs = 20,
        // Empty, since libwebsockets would send even local connections through $http_proxy.
        .http_proxy_address = "",
        .client_ssl_ca_filepath = client->authority,
        .options = tls ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0,
        .alpn = "http/1.1",
    };
    if (authority) info.options |= LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS;
    client->vhost = lws_create_vhost(loop->context, &info);
    if (client->vhost && tls && lws_init_vhost_client_ssl(&info, client->vhost)) {
        lws_vhost_destroy(client->vhost);
        client->vhost = NULL;
    }
    if (!client->vhost) {
        free(client->authority);
        free(client);
        return NULL;
    }
    client->next = loop->clients;
    loop->clients = client;
    return client->vhost;
}

// Null if memory is exhausted; then `owner` got its `gone`.
static tape_socket *make_client(tape_loop *loop, const tape_connect_options *options, void *owner) {
    tape_socket *socket = calloc(1, sizeof *socket);
    char *headers = strdup(options->headers);
    if (!socket || !headers) {
        free(socket);
        free(headers);
        tape_socket none = {.loop = loop, .owner = owner};
        loop->events->gone(&none, no_memory);
        return NULL;
    }
    socket->loop = loop;
    socket->owner = owner;
    socket->headers = headers;
    return socket;
}

tape_socket *tape_connect(tape_loop *loop, const tape_connect_options *options, void *owner) {
    tape_socket *socket = make_client(loop, options, owner);
    if (!socket) return NULL;
    socket->starting = true;
    struct lws_vhost *vhost = client_vhost(loop, options->tls, options->authority);
    char host[300];
    snprintf(host, sizeof host, strchr(options->host, ':') ? "[%s]:%d" : "%s:%d", options->host, options->port);
    struct lws_client_connect_info info = {
        .context = loop->context,
        .vhost = vhost,
        .address = options->host,
        .port = options->port,
        .path = options->path,
        .host = host,
        .protocol = options->subprotocol,
        .local_protocol_name = loop->protocols[0].name,
        .ssl_connection = (options->tls ? LCCSCF_USE_SSL : 0) | LCCSCF_HTTP_NO_FOLLOW_REDIRECT,
        .ietf_version_or_minus_one = -1,
        .alpn = "http/1.1",
        .opaque_user_data = socket,
        .retry_and_idle_policy = &client_alive,
        .pwsi = &socket->wsi,
    };
    struct lws *wsi = vhost ? lws_client_connect_via_info(&info) : NULL;
    socket->starting = false;
    if (wsi && !socket->dead) return socket;
    if (!vhost && !socket->error) socket->error = strdup("the file of trusted certificates can't be read");
    if (!socket->error) socket->error = strdup("the host is unknown or can't be reached");
    tape_end_socket(socket);
    return NULL;
}

void tape_free_clients(tape_loop *loop) {
    for (struct tape_client *client = loop->clients, *next; client; client = next) {
        next = client->next;
        free(client->authority);
        free(client);
    }
}

bool tape_send(tape_socket *socket, const void *bytes, size_t count, bool first, bool last, bool text) {
    if (count > chunk) return false;
    // libwebsockets writes its frame header before the bytes, and masks them in place.
    unsigned char *start = socket->loop->scratch + LWS_PRE;
    if (count) memcpy(start, bytes, count);
    int kind = !first ? LWS_WRITE_CONTINUATION : text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY;
    if (!last) kind |= LWS_WRITE_NO_FIN;
    return lws_write(socket->wsi, start, count, (enum lws_write_protocol)kind) >= 0;
}

void tape_set_close(tape_socket *socket, uint16_t code, const char *reason, size_t count) {
    lws_close_reason(socket->wsi, code, (unsigned char *)reason, count);
}

void tape_confirm_alive(tape_socket *socket) { lws_validity_confirmed(socket->wsi); }

size_t tape_frame_rest(tape_socket *socket) { return lws_remaining_packet_payload(socket->wsi); }

#endif
