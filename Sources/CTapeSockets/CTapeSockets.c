#define _GNU_SOURCE
#include "CTapeSockets.h"

#include <stdio.h>
#include <string.h>

const size_t tape_chunk = 64 * 1024;

#if __has_include(<libwebsockets.h>)
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libwebsockets.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { chunk = 64 * 1024, header_limit = 16 * 1024, subprotocol_limit = 128 };

struct tape_loop {
    struct lws_context *context;
    const tape_events *events;
    struct lws_protocols protocols[3];
    // The subprotocol of the handshake under way. libwebsockets takes the first offered one that it knows and knows
    // them by list entries; this one entry is renamed for each handshake, so that the service's choice counts.
    char subprotocol[subprotocol_limit];
    struct tape_client *clients;
    tape_listener *listeners;
    struct tape_timer *timers;
    unsigned char scratch[LWS_PRE + chunk];
};

struct tape_listener {
    tape_loop *loop;
    void *owner;
    tape_listener *next;
    struct lws_vhost *vhost;
    lws_retry_bo_t alive;
    int descriptor; // of the listening socket, -1 once closed
    char name[24];
    char *host, *certificate, *key;
};

// The vhosts that client connections live on: one without TLS, one for each set of trusted certificates.
struct tape_client {
    struct tape_client *next;
    struct lws_vhost *vhost;
    bool tls;
    char *authority;
};

struct tape_socket {
    struct lws *wsi;
    tape_loop *loop;
    tape_listener *listener; // null for a client
    void *owner;
    char *headers, *error;
    bool connecting, dead;
};

struct tape_timer {
    lws_sorted_usec_list_t entry;
    tape_loop *loop;
    void *context;
    struct tape_timer *next, *previous;
};

static const lws_retry_bo_t client_alive = {.secs_since_valid_ping = 20, .secs_since_valid_hangup = 60};

// Log and process

static void emit(int level, const char *line) {
    (void)level;
    // Said when a client vhost is told to use no proxy; see client_vhost.
    if (strstr(line, "http_proxy")) return;
    fprintf(stderr, "libwebsockets: %s", line);
}

// What libwebsockets keeps per process is set up once, by the first loop: a second loop would replace the index under
// which the first one's TLS connections find their sockets.
static pthread_mutex_t process = PTHREAD_MUTEX_INITIALIZER;
static bool process_ready;

static bool prepare_process(void) {
    if (process_ready) return false;
    process_ready = true;
    signal(SIGPIPE, SIG_IGN);
    lws_set_log_level(LLL_ERR, emit);
    return true;
}

// Sockets

static tape_socket *socket_of(struct lws *wsi) {
    tape_socket *socket = lws_get_opaque_user_data(wsi);
    if (socket) return socket;
    struct lws_vhost *vhost = lws_get_vhost(wsi);
    tape_listener *listener = vhost ? lws_get_vhost_user(vhost) : NULL;
    if (!listener) return NULL;
    socket = calloc(1, sizeof *socket);
    if (!socket) return NULL;
    socket->wsi = wsi;
    socket->loop = listener->loop;
    socket->listener = listener;
    lws_set_opaque_user_data(wsi, socket);
    return socket;
}

static void end_socket(tape_socket *socket) {
    socket->loop->events->gone(socket, socket->error);
    free(socket->headers);
    free(socket->error);
    free(socket);
}

static int add_headers(tape_socket *socket, unsigned char **cursor, size_t room) {
    size_t count = socket->headers ? strlen(socket->headers) : 0;
    if (count > room) return -1;
    memcpy(*cursor, socket->headers, count);
    *cursor += count;
    return 0;
}

static int confirm_upgrade(tape_socket *socket, char *protocol) {
    if (!strcasecmp(protocol, "h2c")) {
        // An offer of HTTP/2 may be ignored, and libwebsockets looks at this very string next.
        protocol[0] = '-';
        return 0;
    }
    return socket->loop->events->upgrade(socket) ? 0 : -1;
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t count) {
    (void)user;
    switch (reason) {
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
    case LWS_CALLBACK_HTTP:
    case LWS_CALLBACK_HTTP_BODY:
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
    case LWS_CALLBACK_HTTP_WRITEABLE:
    case LWS_CALLBACK_ESTABLISHED:
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
    case LWS_CALLBACK_RECEIVE:
    case LWS_CALLBACK_CLIENT_RECEIVE:
    case LWS_CALLBACK_SERVER_WRITEABLE:
    case LWS_CALLBACK_CLIENT_WRITEABLE:
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
    case LWS_CALLBACK_WSI_DESTROY:
        break;
    case LWS_CALLBACK_RAW_ADOPT:
    case LWS_CALLBACK_RAW_RX:
        return -1; // a CONNECT
    default:
        return 0;
    }
    // Listening sockets are destroyed too, and never had anything to tell.
    tape_socket *socket = reason == LWS_CALLBACK_WSI_DESTROY ? lws_get_opaque_user_data(wsi) : socket_of(wsi);
    if (!socket) return reason == LWS_CALLBACK_WSI_DESTROY ? 0 : -1;
    const tape_events *events = socket->loop->events;
    const unsigned char *bytes = in;
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        events->request(socket);
        return 0;
    case LWS_CALLBACK_HTTP_BODY:
        events->body(socket, in, count);
        return 0;
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        events->body_end(socket);
        return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return confirm_upgrade(socket, in);
    case LWS_CALLBACK_ESTABLISHED:
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        events->opened(socket);
        return 0;
    case LWS_CALLBACK_RECEIVE:
    case LWS_CALLBACK_CLIENT_RECEIVE:
        events->received(
            socket, in, count, lws_is_first_fragment(wsi), lws_is_final_fragment(wsi), !lws_frame_is_binary(wsi));
        return 0;
    case LWS_CALLBACK_HTTP_WRITEABLE:
    case LWS_CALLBACK_SERVER_WRITEABLE:
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
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        socket->dead = true;
        if (!socket->connecting) end_socket(socket);
        return 0;
    default:
        return 0;
    }
}

// Loop

tape_loop *tape_loop_create(const tape_events *events) {
    tape_loop *loop = calloc(1, sizeof *loop);
    if (!loop) return NULL;
    loop->events = events;
    // The first name can't be offered by a peer: a slash is no part of a token.
    loop->protocols[0] = (struct lws_protocols){.name = "http/1.1", .callback = on_event, .rx_buffer_size = chunk};
    loop->protocols[1] =
        (struct lws_protocols){.name = loop->subprotocol, .callback = on_event, .rx_buffer_size = chunk};
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .gid = -1,
        .uid = -1,
        .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS,
        .pt_serv_buf_size = chunk,
        .max_http_header_data = header_limit,
        .timeout_secs = 20,
    };
    pthread_mutex_lock(&process);
    if (prepare_process()) info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
    loop->context = lws_create_context(&info);
    pthread_mutex_unlock(&process);
    if (loop->context) return loop;
    free(loop);
    return NULL;
}

void tape_loop_turn(tape_loop *loop) { lws_service(loop->context, 0); }

void tape_loop_wake(tape_loop *loop) { lws_cancel_service(loop->context); }

static void end_timer(struct tape_timer *timer, bool due) {
    if (timer->previous)
        timer->previous->next = timer->next;
    else
        timer->loop->timers = timer->next;
    if (timer->next) timer->next->previous = timer->previous;
    timer->loop->events->timer(timer->context, due);
    free(timer);
}

static void on_timer(lws_sorted_usec_list_t *entry) { end_timer(lws_container_of(entry, struct tape_timer, entry), true); }

void tape_timer_start(tape_loop *loop, int64_t microseconds, void *context) {
    struct tape_timer *timer = calloc(1, sizeof *timer);
    if (!timer) {
        loop->events->timer(context, false);
        return;
    }
    timer->loop = loop;
    timer->context = context;
    timer->next = loop->timers;
    if (loop->timers) loop->timers->previous = timer;
    loop->timers = timer;
    lws_sul_schedule(loop->context, 0, &timer->entry, on_timer, microseconds > 0 ? microseconds : 1);
}

void tape_loop_destroy(tape_loop *loop) {
    while (loop->timers) {
        lws_sul_cancel(&loop->timers->entry);
        end_timer(loop->timers, false);
    }
    pthread_mutex_lock(&process);
    lws_context_destroy(loop->context);
    pthread_mutex_unlock(&process);
    for (tape_listener *listener = loop->listeners, *next; listener; listener = next) {
        next = listener->next;
        free(listener->host);
        free(listener->certificate);
        free(listener->key);
        free(listener);
    }
    for (struct tape_client *client = loop->clients, *next; client; client = next) {
        next = client->next;
        free(client->authority);
        free(client);
    }
    free(loop);
}

// Listener

static tape_status status_of(int error) {
    switch (error) {
    case EADDRINUSE: return TAPE_PORT_IN_USE;
    case EADDRNOTAVAIL: return TAPE_ADDRESS;
    case EACCES:
    case EPERM: return TAPE_NOT_PERMITTED;
    default: return TAPE_FAILED;
    }
}

// Resolves the host to a numeric address and binds it for a moment, since libwebsockets doesn't tell why it can't.
static tape_status probe(const char *host, int port, char *numeric, size_t size, bool *six, char *reason) {
    char service[8];
    snprintf(service, sizeof service, "%d", port);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV}, *found = NULL;
    int error = getaddrinfo(host, service, &hints, &found);
    if (error) {
        snprintf(reason, 256, "%s", gai_strerror(error));
        return TAPE_ADDRESS;
    }
    // A name that has both kinds of address gets the older one, as curl and browsers try both.
    struct addrinfo *address = found;
    for (struct addrinfo *each = found; each; each = each->ai_next)
        if (each->ai_family == AF_INET) {
            address = each;
            break;
        }
    *six = address->ai_family == AF_INET6;
    getnameinfo(address->ai_addr, address->ai_addrlen, numeric, (socklen_t)size, NULL, 0, NI_NUMERICHOST);
    tape_status status = TAPE_OK;
    int descriptor = socket(address->ai_family, SOCK_STREAM, 0), one = 1;
    if (descriptor >= 0) setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (descriptor >= 0 && *six) setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
    // Two sockets may be bound to one port; only listening tells that another one listens there.
    if (descriptor < 0 || bind(descriptor, address->ai_addr, address->ai_addrlen) || listen(descriptor, 1)) {
        status = status_of(errno);
        snprintf(reason, 256, "%s", strerror(errno));
    }
    if (descriptor >= 0) close(descriptor);
    freeaddrinfo(found);
    return status;
}

// libwebsockets keeps its listening socket to itself; it is the one that listens at that address.
static int listening_descriptor(const char *numeric, int port) {
    // Not up to the limit of open files: in a container that may be a thousand million.
    DIR *open_ones = opendir("/dev/fd");
    if (!open_ones) return -1;
    int found = -1;
    for (struct dirent *entry; found < 0 && (entry = readdir(open_ones));) {
        int descriptor = atoi(entry->d_name), listening = 0;
        socklen_t size = sizeof listening;
        if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) || !listening) continue;
        struct sockaddr_storage address;
        socklen_t length = sizeof address;
        char host[64], service[8];
        if (getsockname(descriptor, (struct sockaddr *)&address, &length)) continue;
        if (getnameinfo((struct sockaddr *)&address, length, host, sizeof host, service, sizeof service,
                        NI_NUMERICHOST | NI_NUMERICSERV))
            continue;
        if (!strcmp(host, numeric) && atoi(service) == port) found = descriptor;
    }
    closedir(open_ones);
    return found;
}

static bool readable(const char *path, char *reason) {
    if (!access(path, R_OK)) return true;
    snprintf(reason, 256, "%s: %s", path, strerror(errno));
    return false;
}

tape_status tape_listen(
    tape_loop *loop, const tape_listen_options *options, void *owner, tape_listener **result, int *port, char *reason) {
    static unsigned serial;
    char numeric[64] = "";
    bool six = false;
    tape_status status = probe(options->host, options->port, numeric, sizeof numeric, &six, reason);
    if (status != TAPE_OK) return status;
    if (options->certificate && !(readable(options->certificate, reason) && readable(options->key, reason)))
        return TAPE_CERTIFICATE;

    tape_listener *listener = calloc(1, sizeof *listener);
    if (!listener) return TAPE_FAILED;
    listener->loop = loop;
    listener->owner = owner;
    listener->descriptor = -1;
    listener->host = strdup(numeric);
    listener->alive = (lws_retry_bo_t){
        .secs_since_valid_ping = options->ping_after, .secs_since_valid_hangup = options->drop_after};
    if (options->certificate) listener->certificate = strdup(options->certificate);
    if (options->key) listener->key = strdup(options->key);
    // Nobody may address a listener by name, which libwebsockets would allow through the Host header.
    pthread_mutex_lock(&process);
    snprintf(listener->name, sizeof listener->name, "/%u", serial++);
    pthread_mutex_unlock(&process);
    listener->next = loop->listeners;
    loop->listeners = listener;

    struct lws_context_creation_info info = {
        .port = options->port,
        .iface = listener->host,
        .protocols = loop->protocols,
        .vhost_name = listener->name,
        .retry_and_idle_policy = &listener->alive,
        .keepalive_timeout = 60,
        .timeout_secs_ah_idle = 20,
        .user = listener,
        .options = LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND,
        .alpn = "http/1.1",
    };
    if (six)
        info.options |= LWS_SERVER_OPTION_IPV6_V6ONLY_MODIFY | LWS_SERVER_OPTION_IPV6_V6ONLY_VALUE;
    else
        info.options |= LWS_SERVER_OPTION_DISABLE_IPV6;
    if (listener->certificate) {
        info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
        info.ssl_cert_filepath = listener->certificate;
        info.ssl_private_key_filepath = listener->key;
        info.ssl_options_set = SSL_OP_NO_TLSv1 | SSL_OP_NO_TLSv1_1;
    }
    listener->vhost = lws_create_vhost(loop->context, &info);
    if (!listener->vhost) {
        snprintf(reason, 256, "%s", listener->certificate ? "it or its key is no PEM file, or they don't belong together"
                                                           : "libwebsockets could not listen");
        return listener->certificate ? TAPE_CERTIFICATE : TAPE_FAILED;
    }
    *port = lws_get_vhost_listen_port(listener->vhost);
    listener->descriptor = listening_descriptor(numeric, *port);
    *result = listener;
    return TAPE_OK;
}

void tape_listener_close(tape_listener *listener) {
    if (listener->descriptor < 0) return;
    // libwebsockets can't close a listening socket alone. One that never has anything to say takes its place.
    int silent = socket(AF_INET, SOCK_DGRAM, 0);
    if (silent < 0) return;
    dup2(silent, listener->descriptor);
    fcntl(listener->descriptor, F_SETFD, FD_CLOEXEC);
    close(silent);
    listener->descriptor = -1;
}

void *tape_listener_owner(const tape_socket *socket) { return socket->listener->owner; }

// Client

static struct lws_vhost *client_vhost(tape_loop *loop, bool tls, const char *authority) {
    for (struct tape_client *each = loop->clients; each; each = each->next) {
        bool same = each->authority && authority ? !strcmp(each->authority, authority) : each->authority == authority;
        if (each->tls == tls && same) return each->vhost;
    }
    struct tape_client *client = calloc(1, sizeof *client);
    if (!client) return NULL;
    client->tls = tls;
    client->authority = authority ? strdup(authority) : NULL;
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .protocols = loop->protocols,
        .vhost_name = tls ? "/tls" : "/plain",
        .retry_and_idle_policy = &client_alive,
        .connect_timeout_secs = 20,
        // An empty one: libwebsockets would send even connections to this machine through $http_proxy.
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

tape_socket *tape_connect(tape_loop *loop, const tape_connect_options *options, void *owner) {
    tape_socket *socket = calloc(1, sizeof *socket);
    if (!socket) abort();
    socket->loop = loop;
    socket->owner = owner;
    socket->connecting = true;
    socket->headers = strdup(options->headers);
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
    socket->connecting = false;
    if (wsi && !socket->dead) return socket;
    if (!vhost && !socket->error) socket->error = strdup("the certificates to trust can't be read");
    if (!socket->error) socket->error = strdup("the host is not known or can't be reached");
    end_socket(socket);
    return NULL;
}

// Every socket

void tape_set_owner(tape_socket *socket, void *owner) { socket->owner = owner; }

void *tape_owner(const tape_socket *socket) { return socket->owner; }

void tape_peer(tape_socket *socket, char *buffer) {
    buffer[0] = 0;
    lws_get_peer_simple(socket->wsi, buffer, 64);
}

void tape_want_write(tape_socket *socket) { lws_callback_on_writable(socket->wsi); }

bool tape_is_choked(tape_socket *socket) { return lws_partial_buffered(socket->wsi); }

void tape_read(tape_socket *socket, bool on) { lws_rx_flow_control(socket->wsi, on); }

void tape_drop(tape_socket *socket) {
    lws_set_timeout(socket->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
}

static bool write_chunk(tape_socket *socket, const void *bytes, size_t count, int kind) {
    // libwebsockets writes its frame header before the bytes and masks a client's in place.
    unsigned char *start = socket->loop->scratch + LWS_PRE;
    memcpy(start, bytes, count);
    return lws_write(socket->wsi, start, count, (enum lws_write_protocol)kind) >= 0;
}

// WebSocket

bool tape_send(tape_socket *socket, const void *bytes, size_t count, bool first, bool last, bool text) {
    int kind = !first ? LWS_WRITE_CONTINUATION : text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY;
    return write_chunk(socket, bytes, count, last ? kind : kind | LWS_WRITE_NO_FIN);
}

void tape_set_close(tape_socket *socket, uint16_t code, const char *reason, size_t count) {
    lws_close_reason(socket->wsi, code, (unsigned char *)reason, count);
}

void tape_confirm_alive(tape_socket *socket) { lws_validity_confirmed(socket->wsi); }

size_t tape_frame_rest(tape_socket *socket) { return lws_remaining_packet_payload(socket->wsi); }

// HTTP, server side

const char *tape_method(tape_socket *socket) {
    char *path;
    int count;
    switch (lws_http_get_uri_and_method(socket->wsi, &path, &count)) {
    case LWSHUMETH_GET: return "GET";
    case LWSHUMETH_POST: return "POST";
    case LWSHUMETH_OPTIONS: return "OPTIONS";
    case LWSHUMETH_PUT: return "PUT";
    case LWSHUMETH_PATCH: return "PATCH";
    case LWSHUMETH_DELETE: return "DELETE";
    case LWSHUMETH_HEAD: return "HEAD";
    default: return NULL;
    }
}

bool tape_is_http11(tape_socket *socket) {
    char version[12] = "";
    return lws_hdr_copy(socket->wsi, version, sizeof version, WSI_TOKEN_HTTP) > 0 && !strcmp(version, "HTTP/1.1");
}

int tape_path(tape_socket *socket, char *buffer, int size) {
    char *path = NULL;
    int count = 0;
    if (lws_http_get_uri_and_method(socket->wsi, &path, &count) < 0 || !path || count > size) return -1;
    memcpy(buffer, path, (size_t)count);
    return count;
}

int tape_query(tape_socket *socket, int index, char *buffer, int size) {
    return lws_hdr_copy_fragment(socket->wsi, buffer, size, WSI_TOKEN_HTTP_URI_ARGS, index);
}

int tape_header(tape_socket *socket, int index, const char **name, char *buffer, int size) {
    if (index >= WSI_TOKEN_COUNT) return -2;
    const char *token = (const char *)lws_token_to_string((enum lws_token_indexes)index);
    size_t length = token ? strlen(token) : 0;
    if (length < 2 || token[0] == ':' || token[length - 1] != ':') return -1;
    *name = token;
    if (lws_hdr_total_length(socket->wsi, (enum lws_token_indexes)index) <= 0) return -1;
    return lws_hdr_copy(socket->wsi, buffer, size, (enum lws_token_indexes)index);
}

int tape_other_header(tape_socket *socket, const char *name, char *buffer, int size) {
    int length = (int)strlen(name);
    if (lws_hdr_custom_length(socket->wsi, name, length) <= 0) return -1;
    return lws_hdr_custom_copy(socket->wsi, buffer, size, name, length);
}

void tape_accept(tape_socket *socket, const char *subprotocol) {
    snprintf(socket->loop->subprotocol, sizeof socket->loop->subprotocol, "%s", subprotocol);
}

bool tape_write(tape_socket *socket, const void *bytes, size_t count) {
    return write_chunk(socket, bytes, count, LWS_WRITE_HTTP_HEADERS);
}

bool tape_http_done(tape_socket *socket) { return !lws_http_transaction_completed(socket->wsi); }

void tape_http_timeout(tape_socket *socket, int seconds) {
    lws_set_timeout(socket->wsi, seconds ? PENDING_TIMEOUT_HTTP_CONTENT : NO_PENDING_TIMEOUT, seconds);
}

void tape_http_date(char *buffer) {
    time_t now = time(NULL);
    struct tm parts;
    gmtime_r(&now, &parts);
    strftime(buffer, 32, "%a, %d %b %Y %H:%M:%S GMT", &parts);
}

#else

// Without the library everything links and nothing starts.
tape_loop *tape_loop_create(const tape_events *events) { (void)events; return NULL; }
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
void tape_peer(tape_socket *socket, char *buffer) { (void)socket; buffer[0] = 0; }
void tape_want_write(tape_socket *socket) { (void)socket; }
bool tape_is_choked(tape_socket *socket) { (void)socket; return true; }
void tape_read(tape_socket *socket, bool on) { (void)socket; (void)on; }
void tape_drop(tape_socket *socket) { (void)socket; }
bool tape_send(tape_socket *socket, const void *bytes, size_t count, bool first, bool last, bool text) {
    (void)socket; (void)bytes; (void)count; (void)first; (void)last; (void)text;
    return false;
}
void tape_set_close(tape_socket *socket, uint16_t code, const char *reason, size_t count) {
    (void)socket; (void)code; (void)reason; (void)count;
}
void tape_confirm_alive(tape_socket *socket) { (void)socket; }
size_t tape_frame_rest(tape_socket *socket) { (void)socket; return 0; }
const char *tape_method(tape_socket *socket) { (void)socket; return NULL; }
bool tape_is_http11(tape_socket *socket) { (void)socket; return false; }
int tape_path(tape_socket *socket, char *buffer, int size) { (void)socket; (void)buffer; (void)size; return -1; }
int tape_query(tape_socket *socket, int index, char *buffer, int size) {
    (void)socket; (void)index; (void)buffer; (void)size;
    return -1;
}
int tape_header(tape_socket *socket, int index, const char **name, char *buffer, int size) {
    (void)socket; (void)index; (void)name; (void)buffer; (void)size;
    return -2;
}
int tape_other_header(tape_socket *socket, const char *name, char *buffer, int size) {
    (void)socket; (void)name; (void)buffer; (void)size;
    return -1;
}
void tape_accept(tape_socket *socket, const char *subprotocol) { (void)socket; (void)subprotocol; }
bool tape_write(tape_socket *socket, const void *bytes, size_t count) { (void)socket; (void)bytes; (void)count; return false; }
bool tape_http_done(tape_socket *socket) { (void)socket; return false; }
void tape_http_timeout(tape_socket *socket, int seconds) { (void)socket; (void)seconds; }
void tape_http_date(char *buffer) { buffer[0] = 0; }
#endif
