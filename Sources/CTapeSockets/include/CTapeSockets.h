// An interface to libwebsockets without its types. Swift code that imports this header parses neither libwebsockets'
// headers nor OpenSSL's, and a new version of the library changes only the C files.
//
// Call all functions on the thread that created the loop, except tape_loop_wake.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tape_loop tape_loop;
typedef struct tape_listener tape_listener;
/// One TCP connection: for a server a stream of bytes, for a client a WebSocket with messages. Valid from its first
/// event until `gone` returns.
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

/// The loop's callbacks. A socket's owner is the value that tape_set_owner stored.
typedef struct {
    /// A listener accepted a connection. Returned bytes refuse it: it is closed after them, without further events.
    const char *(*accepted)(tape_socket *socket);
    /// A server's socket has read bytes; they may be changed in place.
    void (*received)(tape_socket *socket, void *bytes, size_t count);
    /// A client's WebSocket is open.
    void (*opened)(tape_socket *socket);
    /// A client has received a piece of a message.
    void (*piece)(tape_socket *socket, const void *bytes, size_t count, bool first, bool last, bool text);
    /// A client has received the server's close frame; without a code it is 1005.
    void (*close_received)(tape_socket *socket, uint16_t code, const char *reason, size_t count);
    /// The socket can be written, as requested by tape_want_write. Return false to close it.
    bool (*writable)(tape_socket *socket);
    /// The last event of every socket. `error` says why a client could not connect, else it is null.
    void (*gone)(tape_socket *socket, const char *error);
    /// A timer has fired or, with `due` false, the loop is being destroyed. Called exactly once per timer.
    void (*timer)(void *context, bool due);
} tape_events;

// Loop

/// Null if the library is missing or the system is out of pipes. `events` must outlive the loop. With `many`, the loop
/// waits through libuv if libuv and its plugin are installed: then idle connections cost nothing per turn.
tape_loop *tape_loop_create(const tape_events *events, bool many);
bool tape_loop_has_libuv(const tape_loop *loop);
/// Waits for events and handles them, once.
void tape_loop_turn(tape_loop *loop);
/// Makes the current or next turn return soon. From any thread.
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

/// Listens. A certificate needs both files. `port` gets the port, `reason` (256 bytes) the error message.
tape_status tape_listen(
    tape_loop *loop, const tape_listen_options *options, void *owner, tape_listener **listener, int *port,
    char *reason);
/// Closes the listening socket and keeps its connections. May be called again.
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

/// Starts to connect; `owner` gets `opened` or `gone`. Null if it already got `gone`.
tape_socket *tape_connect(tape_loop *loop, const tape_connect_options *options, void *owner);

// Every socket

void tape_set_owner(tape_socket *socket, void *owner);
void *tape_owner(const tape_socket *socket);
/// Whether the peer has closed its side, even while nothing is read.
bool tape_has_left(tape_socket *socket);
void tape_want_write(tape_socket *socket);
/// Whether the system accepted less than the last write; then wait for `writable`.
bool tape_is_choked(tape_socket *socket);
void tape_read(tape_socket *socket, bool on);
/// Closes without a close frame; `gone` follows soon.
void tape_drop(tape_socket *socket);
/// Drops the connection after `seconds`; 0 disables the timeout. The last call wins.
void tape_timeout(tape_socket *socket, int seconds);
/// The most bytes per write.
extern const size_t tape_chunk;

// A server's socket

/// The peer's numeric address.
const char *tape_peer(const tape_socket *socket);
/// Writes a header of at most 16 bytes and the bytes after it. False if the socket is broken.
bool tape_write(tape_socket *socket, const void *head, size_t head_count, const void *bytes, size_t count);
/// Ends the connection once the peer has read everything; only `gone` follows. Not while the socket is choked.
void tape_finish(tape_socket *socket);
/// The SHA-1 digest, 20 bytes.
void tape_sha1(const void *bytes, size_t count, unsigned char *digest);
/// The time in HTTP's format, into `buffer` (32 bytes).
void tape_http_date(char *buffer);

// A client's WebSocket

bool tape_send(tape_socket *socket, const void *bytes, size_t count, bool first, bool last, bool text);
/// The close frame to send after `writable` returns false. `count` is at most 123.
void tape_set_close(tape_socket *socket, uint16_t code, const char *reason, size_t count);
/// Counts the peer as alive although nothing was read from it.
void tape_confirm_alive(tape_socket *socket);
/// Bytes of the current frame that have not arrived yet.
size_t tape_frame_rest(tape_socket *socket);
/// The status of the HTTP answer that refused the WebSocket, 0 without one; `server` is set to its header of that name.
int tape_answer(const tape_socket *socket, const char **server);
