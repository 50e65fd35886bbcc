// A door to libwebsockets that shows none of its types: Swift code that imports this header parses neither
// libwebsockets' headers nor OpenSSL's, and a new version of the library changes the C files alone.
//
// All calls belong to the thread that made the loop, except tape_loop_wake.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tape_loop tape_loop;
typedef struct tape_listener tape_listener;
/// One TCP connection: a server's, of which this gives the bytes, or a client's WebSocket, of which it gives messages.
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
    /// A connection to a listener. An answer refuses it: it is closed after these bytes, and nothing more is told of it.
    const char *(*accepted)(tape_socket *socket);
    /// What a server's socket has read; the bytes may be changed in place.
    void (*received)(tape_socket *socket, void *bytes, size_t count);
    /// A client's WebSocket is open.
    void (*opened)(tape_socket *socket);
    /// A piece of a message, at a client.
    void (*piece)(tape_socket *socket, const void *bytes, size_t count, bool first, bool last, bool text);
    /// The server's close frame, at a client; without a code it is 1005.
    void (*close_received)(tape_socket *socket, uint16_t code, const char *reason, size_t count);
    /// There is room to write, as tape_want_write asked. False closes.
    bool (*writable)(tape_socket *socket);
    /// The last event of every socket. `error` tells why a client could not connect, else it is null.
    void (*gone)(tape_socket *socket, const char *error);
    /// A timer's time has come, or (`due` false) the loop is destroyed before. Exactly once per timer.
    void (*timer)(void *context, bool due);
} tape_events;

// Loop

/// Null if the library is missing or the system has no pipes left. `events` must outlive the loop. With `many`, it waits
/// through libuv if that and libwebsockets' plugin for it are installed: then idle connections cost a turn nothing.
tape_loop *tape_loop_create(const tape_events *events, bool many);
bool tape_loop_has_libuv(const tape_loop *loop);
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
} tape_listen_options;

/// Listens. Both files of a certificate come together. `port` gets the port, `reason` (256 bytes) the system's words if it fails.
tape_status tape_listen(
    tape_loop *loop, const tape_listen_options *options, void *owner, tape_listener **listener, int *port,
    char *reason);
/// Closes the listening socket and leaves its connections. Again is harmless.
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
/// Whether the peer has closed its side, also while nothing is read.
bool tape_has_left(tape_socket *socket);
void tape_want_write(tape_socket *socket);
/// Whether the system took less than was written last; then wait for `writable`.
bool tape_is_choked(tape_socket *socket);
void tape_read(tape_socket *socket, bool on);
/// Closes without a word; `gone` follows soon.
void tape_drop(tape_socket *socket);
/// Drops the connection after `seconds`; 0 waits for ever. The last call counts.
void tape_timeout(tape_socket *socket, int seconds);
/// Bytes that one write takes at most.
extern const size_t tape_chunk;

// A server's socket

/// The peer's numeric address.
const char *tape_peer(const tape_socket *socket);
/// Writes a head of at most 16 bytes and what follows it. False if the socket is broken.
bool tape_write(tape_socket *socket, const void *head, size_t head_count, const void *bytes, size_t count);
/// Ends the connection once what was written is read; nothing more is told of it but `gone`. Not while it is choked.
void tape_finish(tape_socket *socket);
/// The SHA-1 digest, 20 bytes.
void tape_sha1(const void *bytes, size_t count, unsigned char *digest);
/// The time as HTTP writes it, into `buffer` (32 bytes).
void tape_http_date(char *buffer);

// A client's WebSocket

bool tape_send(tape_socket *socket, const void *bytes, size_t count, bool first, bool last, bool text);
/// The close frame to send once `writable` has returned false. `count` is at most 123.
void tape_set_close(tape_socket *socket, uint16_t code, const char *reason, size_t count);
/// Counts the peer as alive though nothing was read from it.
void tape_confirm_alive(tape_socket *socket);
/// Bytes of the current frame that have not come yet.
size_t tape_frame_rest(tape_socket *socket);
