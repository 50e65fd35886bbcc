// The event loop: a libwebsockets context, its timers, and the state that the process shares.
#if __has_include(<libwebsockets.h>)
#include "sockets.h"

const size_t tape_chunk = chunk;

static void emit(int level, const char *line) {
    (void)level;
    // Logged when a client vhost uses no proxy; see client_vhost.
    if (strstr(line, "http_proxy")) return;
    fprintf(stderr, "libwebsockets: %s", line);
}

// libwebsockets' process-wide state is set up once, by the first loop. A second loop would replace the index under
// which the first one's TLS connections find their sockets.
pthread_mutex_t tape_process = PTHREAD_MUTEX_INITIALIZER;
static bool process_ready;

static bool prepare_process(void) {
    if (process_ready) return false;
    process_ready = true;
    lws_set_log_level(LLL_ERR, emit);
    return true;
}

// libwebsockets ignores SIGPIPE for the whole process, which belongs to the app. So the loop's thread blocks it
// instead.
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

// On libuv the first call closes the handles, and the second frees the context once libuv has closed them. If libuv has
// not, nothing is freed, since it is still in use.
//
// The first call also closes the event pipe, whose descriptor libwebsockets closes again with its handle. By then the
// number may be that of a file that another thread has opened. That file stays open then, and what is left of the loop
// leaks: its memory and libuv's own descriptors.
static void destroy_context(tape_loop *loop) {
    int number = tape_uv_descriptor(loop->event_pipe);
    lws_context_destroy(loop->context);
    if (!loop->uv) return;
    struct stat placeholder;
    bool is_safe = number < 0 || tape_hold_number(number, &placeholder);
    if (!is_safe) tape_uv_abandon(loop->event_pipe);
    if (tape_uv_destroy(loop->uv) && is_safe) lws_context_destroy(loop->context);
    if (number >= 0 && is_safe) tape_release_number(number, &placeholder);
}

tape_loop *tape_loop_create(const tape_events *events, bool many) {
    tape_loop *loop = calloc(1, sizeof *loop);
    if (!loop) return NULL;
    loop->events = events;
    loop->protocols[0] = (struct lws_protocols){.name = "http/1.1", .callback = tape_on_event, .rx_buffer_size = chunk};
    loop->protocols[1] = (struct lws_protocols){.name = server_protocol, .callback = tape_on_event, .rx_buffer_size = chunk};
    loop->protocols[2] = (struct lws_protocols){.name = listener_protocol, .callback = tape_on_listener_event};
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .gid = -1,
        .uid = -1,
        .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS,
        .pt_serv_buf_size = chunk,
        .max_http_header_data = 16 * 1024,
        .timeout_secs = handshake_seconds,
    };
    pthread_mutex_lock(&tape_process);
    if (prepare_process()) info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
    loop->uv = many ? tape_uv_create() : NULL;
    if (loop->uv) {
        info.options |= LWS_SERVER_OPTION_LIBUV;
        info.foreign_loops = &loop->uv;
    }
    loop->context = create_context(&info);
    pthread_mutex_unlock(&tape_process);
    if (loop->context) {
        if (loop->uv) loop->event_pipe = tape_uv_event_pipe(loop->uv);
        return loop;
    }
    if (loop->uv) tape_uv_destroy(loop->uv);
    free(loop);
    return NULL;
}

bool tape_loop_has_libuv(const tape_loop *loop) { return loop->uv; }

void tape_loop_turn(tape_loop *loop) {
    if (loop->uv)
        tape_uv_turn(loop->uv);
    else
        lws_service(loop->context, 0);
}

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

static void on_timer(lws_sorted_usec_list_t *entry) {
    struct tape_timer *timer = lws_container_of(entry, struct tape_timer, entry);
    tape_loop *loop = timer->loop;
    end_timer(timer, true);
    // On libuv, resumed connections are only checked after an event.
    if (loop->uv) lws_cancel_service(loop->context);
}

// Groups long timers that are due at about the same time, at most 250 ms late. Each distinct time costs a turn, and
// before it libuv, which counts in whole milliseconds, turns once more without waiting.
static int64_t gathered(int64_t microseconds) {
    const int64_t step = LWS_US_PER_SEC / 4;
    if (microseconds < LWS_US_PER_SEC) return microseconds > 0 ? microseconds : 1;
    return microseconds + step - (lws_now_usecs() + microseconds) % step;
}

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
    lws_sul_schedule(loop->context, 0, &timer->entry, on_timer, gathered(microseconds));
}

void tape_loop_destroy(tape_loop *loop) {
    while (loop->timers) {
        lws_sul_cancel(&loop->timers->entry);
        end_timer(loop->timers, false);
    }
    for (tape_listener *listener = loop->listeners; listener; listener = listener->next) tape_listener_close(listener);
    loop->is_ending = true;
    pthread_mutex_lock(&tape_process);
    destroy_context(loop);
    pthread_mutex_unlock(&tape_process);
    // Outside the lock: a callback may create another loop.
    while (loop->ended) {
        tape_socket *socket = loop->ended;
        loop->ended = socket->next;
        tape_report_end(socket);
    }
    for (tape_listener *listener = loop->listeners, *next; listener; listener = next) {
        next = listener->next;
        tape_free_listener(listener);
    }
    tape_free_clients(loop);
    free(loop);
}

#endif
