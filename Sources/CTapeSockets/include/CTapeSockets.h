// A door to libwebsockets that shows none of its types: Swift code that imports this header parses neither
// libwebsockets' headers nor OpenSSL's, and a new version of the library changes one C file.
//
// All calls belong to the thread that made the loop, except tape_loop_wake.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tape_loop tape_loop;
typedef struct tape_listener tape_listener;
/// One TCP connection: an HTTP one of a server, which may become a WebSocket, or a WebSocket of a client.
/// Valid from its first event until `gone` returns.
typedef struct tape_socket tape_socket;

typedef enum {
    TAPE_OK,
    TAPE_UNAVAILABLE,
    TAPE_PORT_IN_USE,
    TAPE_ADDRESS,
    TAPE_NOT_PERMITTED,
    TAPE_CERTIFICATE,
    TAPE_FAILED,
} tape_status;

/// What the loop tells. The socket's owner is what tape_set_owner stored.
typedef struct {
    /// The head of a request is complete; a body may follow.
    void (*request)(tape_socket *socket);
    void (*body)(tape_socket *socket, const void *bytes, size_t count);
    void (*body_end)(tape_socket *socket);
    /// A well-formed head asks for a WebSocket. True accepts `socket`'s subprotocol as set by tape_accept;
    /// false closes, after what was written.
    bool (*upgrade)(tape_socket *socket);
    void (*opened)(tape_socket *socket);
    /// A piece of a message.
    void (*received)(tape_socket *socket, const void *bytes, size_t count, bool first, bool last, bool text);
    /// The peer's close frame; without a code it is 1005.
    void (*close_received)(tape_socket *socket, uint16_t code, const char *reason, size_t count);
    /// There is room to write, as tape_want_write asked. False closes.
    bool (*writable)(tape_socket *socket);
    /// The last event of every socket. `error` tells why a client could not connect, else it is null.
    void (*gone)(tape_socket *socket, const char *error);
    /// A timer's time has come, or (`due` false) the loop is destroyed before. Exactly once per timer.
    void (*timer)(void *context, bool due);
} tape_events;

// Loop

/// Null if the library is missing or the system has no pipes left. `events` must outlive the loop.
tape_loop *tape_loop_create(const tape_events *events);
/// Waits for events and handles them, once.
void tape_loop_turn(tape_loop *loop);
/// Makes the running or next turn return soon. From any thread.
void tape_loop_wake(tape_loop *loop);
/// Closes everything; every socket still gets its `gone`.
void tape_loop_destroy(tape_loop *loop);
void tape_timer_start(tape_loop *loop, int64_t microseconds, void *context);

// Listener

typedef struct {
    const char *host;
    int port;
    const char *certificate; // PEM files, or null for plain TCP
    const char *key;
    uint16_t ping_after; // seconds
    uint16_t drop_after;
} tape_listen_options;

/// Listens. `port` gets the port, `reason` (256 bytes) the system's words if it fails.
tape_status tape_listen(
    tape_loop *loop, const tape_listen_options *options, void *owner, tape_listener **listener, int *port,
    char *reason);
void tape_listener_close(tape_listener *listener);
/// The owner of the listener that accepted this socket.
void *tape_listener_owner(const tape_socket *socket);

// Client

typedef struct {
    const char *host;
    int port;
    const char *path; // with the query
    const char *subprotocol; // or null
    const char *headers; // lines that end in CRLF
    const char *authority; // PEM file, or null for the system's
    bool tls;
} tape_connect_options;

/// Begins to connect; `owner` hears `opened` or `gone`. Null if it has already heard `gone`.
tape_socket *tape_connect(tape_loop *loop, const tape_connect_options *options, void *owner);

// Every socket

void tape_set_owner(tape_socket *socket, void *owner);
void *tape_owner(const tape_socket *socket);
/// The peer's numeric address into `buffer` (64 bytes).
void tape_peer(tape_socket *socket, char *buffer);
void tape_want_write(tape_socket *socket);
/// Whether the system took less than was written last; then wait for `writable`.
bool tape_is_choked(tape_socket *socket);
void tape_read(tape_socket *socket, bool on);
/// Closes without a word; `gone` follows soon.
void tape_drop(tape_socket *socket);

// WebSocket

/// Bytes that one write takes at most.
extern const size_t tape_chunk;
bool tape_send(tape_socket *socket, const void *bytes, size_t count, bool first, bool last, bool text);
/// The close frame to send once `writable` has returned false. `count` is at most 123.
void tape_set_close(tape_socket *socket, uint16_t code, const char *reason, size_t count);
/// Counts the peer as alive though nothing was read from it.
void tape_confirm_alive(tape_socket *socket);
/// Bytes of the current frame that have not come yet.
size_t tape_frame_rest(tape_socket *socket);

// HTTP, server side

/// `GET` …; null if it is none of those that libwebsockets knows.
const char *tape_method(tape_socket *socket);
bool tape_is_http11(tape_socket *socket);
/// These copy into `buffer` and return the length, or -1 if there is none or it doesn't fit.
int tape_path(tape_socket *socket, char *buffer, int size);
int tape_query(tape_socket *socket, int index, char *buffer, int size);
/// The header at `index`, its `name` with a final colon; -2 past the last one.
int tape_header(tape_socket *socket, int index, const char **name, char *buffer, int size);
/// A header that libwebsockets doesn't know by itself; `name` in lower case with a colon.
int tape_other_header(tape_socket *socket, const char *name, char *buffer, int size);
/// In `upgrade`: the subprotocol to answer with, one of those offered; empty if none was.
void tape_accept(tape_socket *socket, const char *subprotocol);
bool tape_write(tape_socket *socket, const void *bytes, size_t count);
/// The answer is complete: true if the connection stays open for another request.
bool tape_http_done(tape_socket *socket);
/// Drops the connection unless something happens within `seconds`; 0 waits for ever.
void tape_http_timeout(tape_socket *socket, int seconds);
/// The time as HTTP writes it, into `buffer` (32 bytes).
void tape_http_date(char *buffer);
