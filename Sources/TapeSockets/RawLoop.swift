internal import CTapeSockets

/// The C side of an ``EventLoop``.
struct RawLoop: @unchecked Sendable {  // only `wake` is called from other threads, and may be
    let pointer: OpaquePointer

    /// Called on the loop's thread. Nil if the library is missing or the system fails.
    init?(_ library: EventLibrary) {
        guard let pointer = tape_loop_create(SocketEvents.table, library == .libuv) else { return nil }
        self.pointer = pointer
    }

    var library: EventLibrary { tape_loop_has_libuv(pointer) ? .libuv : .poll }

    func wake() {
        tape_loop_wake(pointer)
    }

    func turn() {
        tape_loop_turn(pointer)
    }

    func destroy() {
        tape_loop_destroy(pointer)
    }

    func startTimer(microseconds: Int64, _ scheduled: Scheduled) {
        tape_timer_start(pointer, microseconds, Unmanaged.passRetained(scheduled).toOpaque())
    }
}
