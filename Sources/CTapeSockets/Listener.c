// Listens and accepts connections.
#if __has_include(<libwebsockets.h>)
#include "sockets.h"

enum {
    accepts_per_turn = 64,
    looks_per_turn = 4096, // at connections that wait, of which those that have ended cost next to nothing
    accept_pause = 100 * LWS_US_PER_MS, // if the process is out of file descriptors
};

static tape_status status_of(int error) {
    switch (error) {
    case EADDRINUSE: return TAPE_PORT_IN_USE;
    case EADDRNOTAVAIL: return TAPE_ADDRESS;
    case EACCES:
    case EPERM: return TAPE_NOT_PERMITTED;
    default: return TAPE_FAILED;
    }
}

// macOS has none of these flags. There, a process that is started in between inherits the descriptor.
#ifdef SOCK_CLOEXEC
int tape_open_socket(int family) { return socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

static int accept_socket(int listening, struct sockaddr_storage *address, socklen_t *length) {
    return accept4(listening, (struct sockaddr *)address, length, SOCK_CLOEXEC | SOCK_NONBLOCK);
}
#else
static int prepared(int descriptor) {
    if (descriptor < 0) return descriptor;
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    fcntl(descriptor, F_SETFL, O_NONBLOCK);
    return descriptor;
}

int tape_open_socket(int family) { return prepared(socket(family, SOCK_STREAM, 0)); }

static int accept_socket(int listening, struct sockaddr_storage *address, socklen_t *length) {
    return prepared(accept(listening, (struct sockaddr *)address, length));
}
#endif
#ifndef POLLRDHUP
#define POLLRDHUP 0 // macOS reports only peers that have closed both directions
#endif
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 // the loop's thread blocks the signal
#endif

static int bound_port(int descriptor) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &length)) return 0;
    return ntohs(
        address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                      : ((struct sockaddr_in *)&address)->sin_port);
}

// Opens the listening socket. libwebsockets' own doesn't report why it fails, and can't be closed alone.
static tape_status open_listening(const char *host, int port, int *result, int *bound, char *reason) {
    char service[8];
    snprintf(service, sizeof service, "%d", port);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV}, *found = NULL;
    int error = getaddrinfo(host, service, &hints, &found);
    if (error) {
        snprintf(reason, 256, "%s", gai_strerror(error));
        return TAPE_ADDRESS;
    }
    // A name with both kinds of address uses IPv4; curl and browsers try both.
    struct addrinfo *address = found;
    for (struct addrinfo *each = found; each; each = each->ai_next)
        if (each->ai_family == AF_INET) {
            address = each;
            break;
        }
    tape_status status = TAPE_OK;
    int one = 1, descriptor = tape_open_socket(address->ai_family);
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

void tape_free_listener(tape_listener *listener) {
    free(listener->certificate);
    free(listener->key);
    free(listener);
}

// Null if memory is exhausted.
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
            tape_free_listener(listener);
            return NULL;
        }
    }
    pthread_mutex_lock(&tape_process);
    snprintf(listener->name, sizeof listener->name, "/%u", serial++);
    pthread_mutex_unlock(&tape_process);
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
        snprintf(reason, 256, "%s", listener->certificate ? "it or its key is not a PEM file, or they don't match"
                                                           : "libwebsockets could not listen");
        status = listener->certificate ? TAPE_CERTIFICATE : TAPE_FAILED;
        tape_free_listener(listener);
        return status;
    }
    // From now on the vhost refers to the listener.
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
    if (!listener->wsi) return;
    // On libuv the descriptor closes in the next turn. This stops new connections at once.
    shutdown(lws_get_socket_fd(listener->wsi), SHUT_RDWR);
    lws_set_timeout(listener->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_SYNC);
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
        // Plain bytes only, since TLS has not started. Doesn't wait for the peer.
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
    if (!wsi || socket->dead) tape_end_socket(socket);
}

// Whether the peer sends nothing more. Few such clients still read, so this counts only while many wait.
static bool has_left(int descriptor) {
    struct pollfd peer = {.fd = descriptor, .events = POLLRDHUP};
    return poll(&peer, 1, 0) > 0 && peer.revents;
}

static void resume_accepting(lws_sorted_usec_list_t *entry) {
    tape_listener *listener = lws_container_of(entry, tape_listener, resume);
    if (listener->wsi) lws_rx_flow_control(listener->wsi, 1);
}

int tape_on_listener_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t count) {
    (void)user, (void)in, (void)count;
    if (reason != LWS_CALLBACK_RAW_RX_FILE) return 0;
    tape_listener *listener = lws_get_vhost_user(lws_get_vhost(wsi));
    // After that many, the other connections get their turn.
    for (int begun = 0, looked = 0; begun < accepts_per_turn && looked < looks_per_turn; looked++) {
        struct sockaddr_storage address;
        socklen_t length = sizeof address;
        int descriptor = accept_socket(lws_get_socket_fd(wsi), &address, &length);
        if (descriptor >= 0) {
            // Clients that connect and leave faster than connections begin would keep all others waiting.
            if (looked >= accepts_per_turn && has_left(descriptor)) {
                close(descriptor);
                continue;
            }
            begin_socket(listener, descriptor, &address);
            begun++;
            continue;
        }
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            // The pending connection would wake the loop again and again.
            lws_rx_flow_control(wsi, 0);
            lws_sul_schedule(listener->loop->context, 0, &listener->resume, resume_accepting, accept_pause);
        }
        if (errno != ECONNABORTED && errno != EINTR) break;
    }
    return 0;
}

#endif
