// Declarations that the C files share.
#ifndef TAPE_SOCKETS_H
#define TAPE_SOCKETS_H

#define _GNU_SOURCE
#include "CTapeSockets.h"

#include <errno.h>
#include <fcntl.h>
#include <libwebsockets.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <arpa/inet.h>
#include <netinet/tcp.h>

enum {
    chunk = 64 * 1024,
    frame_head = 16,        // at least 14, the longest frame header
    handshake_seconds = 20, // for the first byte of a request, and for a TLS handshake
    linger_seconds = 2,     // for a peer to close after the last answer, or to send more of its request
};

struct tape_loop {
    struct lws_context *context;
    void *uv; // libuv's loop; null on poll
    void *event_pipe; // libuv's handle of it
    const tape_events *events;
    struct lws_protocols protocols[4];
    struct tape_client *clients;
    tape_listener *listeners;
    struct tape_timer *timers;
    // While the context is destroyed, ended sockets wait here to be reported.
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

// The vhosts of client connections: one without TLS, and one for each set of trusted certificates.
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
    tape_socket *next; // in the list of ended sockets
    char peer[INET6_ADDRSTRLEN];
    int status;      // of the HTTP answer that refused a client's WebSocket; 0 without one
    char server[64]; // its header “Server”
    bool starting, dead;
    bool reads, choked, finishing; // only for a server's socket
    size_t lingered;
    lws_usec_t finished;
};

struct tape_timer {
    lws_sorted_usec_list_t entry;
    tape_loop *loop;
    void *context;
    struct tape_timer *next, *previous;
};

#define server_protocol "tape-socket"
#define listener_protocol "tape-listener"
#define no_memory "there is no memory left"

// Not exported from the module.
#pragma GCC visibility push(hidden)

// Guards libwebsockets' process-wide state.
extern pthread_mutex_t tape_process;

int tape_on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t count);
int tape_on_listener_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t count);

// Enables reading, unless a write is unfinished.
void tape_apply_reading(tape_socket *socket);
// Reports the socket's end to its owner, now or when the loop is destroyed.
void tape_end_socket(tape_socket *socket);
void tape_report_end(tape_socket *socket);
void tape_free_listener(tape_listener *listener);
void tape_free_clients(tape_loop *loop);

// Creates a libuv loop; null without libuv or its plugin.
void *tape_uv_create(void);
// In a loop that only a new context uses: the handle of its event pipe, the only one with a descriptor.
void *tape_uv_event_pipe(void *uv);
// The descriptor of a handle that isn't closing, else -1.
int tape_uv_descriptor(void *handle);
// Lets a closing handle close without libwebsockets, which then waits for it forever.
void tape_uv_abandon(void *handle);
void tape_uv_turn(void *uv);
// Runs the loop until everything has closed, and frees it. False if something stays open.
bool tape_uv_destroy(void *uv);

// A stream socket that never waits and that child processes don't inherit.
int tape_open_socket(int family);
// Occupies the number of a closed descriptor. False if another file has it already.
bool tape_hold_number(int number, struct stat *placeholder);
// Frees the number, unless it was closed meanwhile.
void tape_release_number(int number, const struct stat *placeholder);

#pragma GCC visibility pop

#endif
