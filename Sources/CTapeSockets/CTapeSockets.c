#define _GNU_SOURCE
#include "CTapeSockets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const size_t tape_chunk = 64 * 1024;

#if __has_include(<libwebsockets.h>)
#include <arpa/inet.h>
#include <errno.h>
#include <libwebsockets.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    chunk = 64 * 1024,
    frame_head = 16,       // at least the 14 bytes that a frame's head may have
    handshake_seconds = 20, // for the first byte of a request, and for each part of a TLS handshake
    linger_seconds = 2,     // for a peer to close after the last answer, or to send on what belongs to its request
    linger_limit = 64 << 20, // bytes of that
    linger_most = 30,        // seconds of that
    accepts_per_turn = 64,
    accept_pause = 100 * LWS_US_PER_MS, // when the process has no descriptor left
};

struct tape_loop {
    struct lws_context *context;
    const tape_events *events;
    struct lws_protocols protocols[4];
    struct tape_client *clients;
    tape_listener *listeners;
    struct tape_timer *timers;
    // While the context is destroyed, sockets that have ended wait here to be reported.
    bool is_ending;
    tape_socket *ended;
    unsigned char scratch[LWS_PRE + frame_head + chunk];
};

struct tape_listener {
    tape_loop *loop;
    void *owner;
    tape_listener *next;
    struct lws_vhost *vhost;
    struct lws *wsi; // the listening socket; null once closed
    lws_sorted_usec_list_t resume;
    char name[24];
    char *certificate, *key;
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
    tape_socket *next; // among those that have ended
    char peer[INET6_ADDRSTRLEN];
    bool starting, dead;
    bool reads, choked, finishing; // of a server's
    size_t lingered;
    lws_usec_t finished;
};

struct tape_timer {
    lws_sorted_usec_list_t entry;
    tape_loop *loop;
    void *context;
    struct tape_timer *next, *previous;
};

static const lws_retry_bo_t client_alive = {.secs_since_valid_ping = 20, .secs_since_valid_hangup = 60};
static const char server_protocol[] = "tape-socket", listener_protocol[] = "tape-listener";
static const char no_memory[] = "there is no memory left";

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
    lws_set_log_level(LLL_ERR, emit);
    return true;
}

// libwebsockets ignores SIGPIPE for the whole process, which belongs to the app: the loop's thread blocks it instead.
static struct lws_context *create_context(const struct lws_context_creation_info *info) {
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, NULL);
    struct sigaction before;
    bool is_known = !sigaction(SIGPIPE, NULL, &before);
    struct lws_context *context = lws_create_context(info);
    if (is_known) sigaction(SIGPIPE, &before, NULL);
    return context;
}

// Sockets

static void report_end(tape_socket *socket) {
    socket->loop->events->gone(socket, socket->error);
    free(socket->headers);
    free(socket->error);
    free(socket);
}

static void end_socket(tape_socket *socket) {
    tape_loop *loop = socket->loop;
    if (!loop->is_ending) {
        report_end(socket);
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

// While a write is unfinished libwebsockets doesn't read, and would spin on what the peer sends.
static void apply_reading(tape_socket *socket) {
    lws_rx_flow_control(socket->wsi, socket->reads && !socket->choked);
}

// A peer that is still sending would lose an answer that was followed by a reset.
static int linger(tape_socket *socket, size_t count) {
    socket->lingered += count;
    if (socket->lingered > linger_limit || lws_now_usecs() - socket->finished > linger_most * LWS_US_PER_SEC) return -1;
    tape_timeout(socket, linger_seconds);
    return 0;
}

static int on_server_event(tape_socket *socket, enum lws_callback_reasons reason, void *in, size_t count) {
    switch (reason) {
    case LWS_CALLBACK_RAW_ADOPT:
        // libwebsockets times a TLS handshake by itself.
        if (!lws_is_ssl(socket->wsi)) tape_timeout(socket, handshake_seconds);
        return 0;
    case LWS_CALLBACK_RAW_RX:
        if (socket->finishing) return linger(socket, count);
        socket->loop->events->received(socket, in, count);
        return 0;
    case LWS_CALLBACK_RAW_WRITEABLE:
        if (socket->choked) {
            socket->choked = false;
            apply_reading(socket);
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
        return 0;
    default:
        return 0;
    }
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t count) {
    (void)user;
    // The library also calls this for what is no connection, with objects of its own.
    switch (reason) {
    case LWS_CALLBACK_RAW_ADOPT:
    case LWS_CALLBACK_RAW_RX:
    case LWS_CALLBACK_RAW_WRITEABLE:
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
    if (reason == LWS_CALLBACK_WSI_DESTROY) {
        socket->dead = true;
        if (!socket->starting) end_socket(socket);
        return 0;
    }
    return socket->listener ? on_server_event(socket, reason, in, count) : on_client_event(socket, reason, in, count);
}

// Loop

static int on_listener_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t count);

tape_loop *tape_loop_create(const tape_events *events) {
    tape_loop *loop = calloc(1, sizeof *loop);
    if (!loop) return NULL;
    loop->events = events;
    loop->protocols[0] = (struct lws_protocols){.name = "http/1.1", .callback = on_event, .rx_buffer_size = chunk};
    loop->protocols[1] = (struct lws_protocols){.name = server_protocol, .callback = on_event, .rx_buffer_size = chunk};
    loop->protocols[2] = (struct lws_protocols){.name = listener_protocol, .callback = on_listener_event};
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .gid = -1,
        .uid = -1,
        .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS,
        .pt_serv_buf_size = chunk,
        .max_http_header_data = 16 * 1024,
        .timeout_secs = handshake_seconds,
    };
    pthread_mutex_lock(&process);
    if (prepare_process()) info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
    loop->context = create_context(&info);
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

static void free_listener(tape_listener *listener) {
    free(listener->certificate);
    free(listener->key);
    free(listener);
}

void tape_loop_destroy(tape_loop *loop) {
    while (loop->timers) {
        lws_sul_cancel(&loop->timers->entry);
        end_timer(loop->timers, false);
    }
    for (tape_listener *listener = loop->listeners; listener; listener = listener->next) tape_listener_close(listener);
    loop->is_ending = true;
    pthread_mutex_lock(&process);
    lws_context_destroy(loop->context);
    pthread_mutex_unlock(&process);
    // Outside the lock: whoever hears of an end may make another loop.
    while (loop->ended) {
        tape_socket *socket = loop->ended;
        loop->ended = socket->next;
        report_end(socket);
    }
    for (tape_listener *listener = loop->listeners, *next; listener; listener = next) {
        next = listener->next;
        free_listener(listener);
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

static int bound_port(int descriptor) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &length)) return 0;
    return ntohs(
        address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                      : ((struct sockaddr_in *)&address)->sin_port);
}

// Opens the listening socket. libwebsockets' own would not tell why it can't, and can't be closed alone.
static tape_status open_listening(const char *host, int port, int *result, int *bound, char *reason) {
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
    tape_status status = TAPE_OK;
    int one = 1, descriptor = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor >= 0) setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (descriptor >= 0 && address->ai_family == AF_INET6)
        setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
    if (descriptor < 0 || bind(descriptor, address->ai_addr, address->ai_addrlen) || listen(descriptor, SOMAXCONN)) {
        status = status_of(errno);
        snprintf(reason, 256, "%s", strerror(errno));
        if (descriptor >= 0) close(descriptor);
    } else {
        *result = descriptor;
        *bound = bound_port(descriptor);
    }
    freeaddrinfo(found);
    return status;
}

static bool readable(const char *path, char *reason) {
    if (!access(path, R_OK)) return true;
    snprintf(reason, 256, "%s: %s", path, strerror(errno));
    return false;
}

// Null without memory.
static tape_listener *make_listener(tape_loop *loop, const tape_listen_options *options, void *owner) {
    static unsigned serial;
    tape_listener *listener = calloc(1, sizeof *listener);
    if (!listener) return NULL;
    listener->loop = loop;
    listener->owner = owner;
    if (options->certificate) {
        listener->certificate = strdup(options->certificate);
        listener->key = strdup(options->key);
        if (!listener->certificate || !listener->key) {
            free_listener(listener);
            return NULL;
        }
    }
    pthread_mutex_lock(&process);
    snprintf(listener->name, sizeof listener->name, "/%u", serial++);
    pthread_mutex_unlock(&process);
    return listener;
}

tape_status tape_listen(
    tape_loop *loop, const tape_listen_options *options, void *owner, tape_listener **result, int *port, char *reason) {
    if (options->certificate && !(readable(options->certificate, reason) && readable(options->key, reason)))
        return TAPE_CERTIFICATE;
    int descriptor = -1;
    tape_status status = open_listening(options->host, options->port, &descriptor, port, reason);
    if (status != TAPE_OK) return status;
    tape_listener *listener = make_listener(loop, options, owner);
    if (!listener) {
        close(descriptor);
        snprintf(reason, 256, "%s", no_memory);
        return TAPE_FAILED;
    }
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = loop->protocols,
        .vhost_name = listener->name,
        .user = listener,
        .alpn = "http/1.1",
    };
    if (listener->certificate) {
        info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
        info.ssl_cert_filepath = listener->certificate;
        info.ssl_private_key_filepath = listener->key;
        info.ssl_options_set = SSL_OP_NO_TLSv1 | SSL_OP_NO_TLSv1_1;
    }
    listener->vhost = lws_create_vhost(loop->context, &info);
    if (!listener->vhost) {
        close(descriptor);
        snprintf(reason, 256, "%s", listener->certificate ? "it or its key is no PEM file, or they don't belong together"
                                                           : "libwebsockets could not listen");
        status = listener->certificate ? TAPE_CERTIFICATE : TAPE_FAILED;
        free_listener(listener);
        return status;
    }
    // The vhost refers to the listener from now on.
    listener->next = loop->listeners;
    loop->listeners = listener;
    lws_sock_file_fd_type file = {.filefd = descriptor};
    listener->wsi = lws_adopt_descriptor_vhost(listener->vhost, LWS_ADOPT_RAW_FILE_DESC, file, listener_protocol, NULL);
    if (!listener->wsi) {
        snprintf(reason, 256, "libwebsockets could not listen");
        return TAPE_FAILED;
    }
    *result = listener;
    return TAPE_OK;
}

void tape_listener_close(tape_listener *listener) {
    lws_sul_cancel(&listener->resume);
    if (listener->wsi) lws_set_timeout(listener->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_SYNC);
    listener->wsi = NULL;
}

void *tape_listener_owner(const tape_socket *socket) { return socket->listener->owner; }

static void set_peer(tape_socket *socket, const struct sockaddr_storage *address) {
    const void *bytes = address->ss_family == AF_INET6 ? (const void *)&((const struct sockaddr_in6 *)address)->sin6_addr
                                                       : (const void *)&((const struct sockaddr_in *)address)->sin_addr;
    if (!inet_ntop(address->ss_family, bytes, socket->peer, sizeof socket->peer)) socket->peer[0] = 0;
}

static void begin_socket(tape_listener *listener, int descriptor, const struct sockaddr_storage *address) {
    tape_socket *socket = calloc(1, sizeof *socket);
    if (!socket) {
        close(descriptor);
        return;
    }
    socket->loop = listener->loop;
    socket->listener = listener;
    socket->reads = true;
    set_peer(socket, address);
    int one = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    const char *refusal = listener->loop->events->accepted(socket);
    if (refusal) {
        // Too early for TLS, and nothing waits for the peer to take it.
        if (!listener->certificate) send(descriptor, refusal, strlen(refusal), MSG_NOSIGNAL | MSG_DONTWAIT);
        close(descriptor);
        free(socket);
        return;
    }
    socket->starting = true;
    lws_sock_file_fd_type file = {.sockfd = descriptor};
    const lws_adoption_type type = LWS_ADOPT_SOCKET | LWS_ADOPT_ALLOW_SSL;
    lws_adopt_desc_t adoption = {
        .vh = listener->vhost, .type = type, .fd = file, .vh_prot_name = server_protocol, .opaque = socket};
    struct lws *wsi = lws_adopt_descriptor_vhost_via_info(&adoption);
    socket->starting = false;
    if (!wsi || socket->dead) end_socket(socket);
}

static void resume_accepting(lws_sorted_usec_list_t *entry) {
    tape_listener *listener = lws_container_of(entry, tape_listener, resume);
    if (listener->wsi) lws_rx_flow_control(listener->wsi, 1);
}

static int on_listener_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t count) {
    (void)user, (void)in, (void)count;
    if (reason != LWS_CALLBACK_RAW_RX_FILE) return 0;
    tape_listener *listener = lws_get_vhost_user(lws_get_vhost(wsi));
    // Then the others have their turn.
    for (int left = accepts_per_turn; left > 0; left--) {
        struct sockaddr_storage address;
        socklen_t length = sizeof address;
        int descriptor =
            accept4(lws_get_socket_fd(wsi), (struct sockaddr *)&address, &length, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (descriptor >= 0) {
            begin_socket(listener, descriptor, &address);
            continue;
        }
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            // The peer goes on waiting, and would wake the loop again and again.
            lws_rx_flow_control(wsi, 0);
            lws_sul_schedule(listener->loop->context, 0, &listener->resume, resume_accepting, accept_pause);
        }
        if (errno != ECONNABORTED && errno != EINTR) break;
    }
    return 0;
}

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
    // Without it every authority that the system trusts would do.
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

// Null without memory; `owner` has heard of it.
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
    if (!vhost && !socket->error) socket->error = strdup("the certificates to trust can't be read");
    if (!socket->error) socket->error = strdup("the host is not known or can't be reached");
    end_socket(socket);
    return NULL;
}

// Every socket

void tape_set_owner(tape_socket *socket, void *owner) { socket->owner = owner; }

void *tape_owner(const tape_socket *socket) { return socket->owner; }

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
    apply_reading(socket);
}

void tape_drop(tape_socket *socket) {
    lws_set_timeout(socket->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
}

void tape_timeout(tape_socket *socket, int seconds) {
    lws_set_timeout(
        socket->wsi, seconds ? PENDING_TIMEOUT_USER_REASON_BASE : NO_PENDING_TIMEOUT, seconds);
}

// A server's socket

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
        apply_reading(socket);
    }
    return true;
}

void tape_finish(tape_socket *socket) {
    if (socket->finishing) return;
    socket->finishing = true;
    socket->finished = lws_now_usecs();
    // libwebsockets closes a raw socket at once. With input unread, the peer would lose what was written last.
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

// A client's WebSocket

bool tape_send(tape_socket *socket, const void *bytes, size_t count, bool first, bool last, bool text) {
    if (count > chunk) return false;
    // libwebsockets writes its frame header before the bytes and masks them in place.
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
