import Foundation
import TapeFormat

/// A thread with a libwebsockets context. All code that uses a socket runs on it.
///
/// A process may have several loops. The thread lives until ``stop()``.
package final class EventLoop: Sendable {
    private struct Queue {
        /// Nil before the thread has created it, and once the thread is ending.
        var raw: RawLoop?
        var library = EventLibrary.poll
        var bodies: [@Sendable () -> Void] = []
        var isStopping = false
        /// Runs once nothing else will.
        var last: (@Sendable () -> Void)?
    }

    // Set before anybody else knows the loop.
    private nonisolated(unsafe) var thread: pthread_t?
    private let queue = Locked(Queue())
    private let ended = DispatchGroup()
    /// The listeners and connections that ``stop()`` closes.
    let members = LoopBound(LoopMembers())

    /// Starts the thread.
    ///
    /// - Parameter library: How to wait for events. Without libwebsockets' plugin for libuv, it is always `poll`.
    /// - Throws: ``SocketsError`` if the package was built without libwebsockets, or the system can't create a thread
    ///   or pipe.
    package init(_ library: EventLibrary = .poll) throws(SocketsError) {
        let started = DispatchSemaphore(value: 0)
        ended.enter()
        let thread = Thread { [self] in
            let raw = RawLoop(library)
            self.thread = pthread_self()
            queue.withLock { queue in
                queue.raw = raw
                if let raw { queue.library = raw.library }
            }
            started.signal()
            if let raw { run(raw) }
            ended.leave()
        }
        thread.name = "statetape.sockets"
        // As large as the main thread's: the parser recurses as deep as JSON may be nested.
        thread.stackSize = 8 << 20
        thread.start()
        started.wait()
        if raw == nil { throw .unavailable }
    }

    /// Runs `body` on the loop's thread, in the order of the calls. Can be called from any thread. Ignored after
    /// ``stop()``.
    package func execute(_ body: @escaping @Sendable () -> Void) {
        _ = enqueue(body)
    }

    /// Like ``execute(_:)``, but returns false if the loop has ended and `body` will never run.
    func enqueue(_ body: @escaping @Sendable () -> Void) -> Bool {
        queue.withLock { queue in
            guard let raw = queue.raw else { return false }
            queue.bodies.append(body)
            // One wake-up is enough for everything that is queued until the loop drains. The loop's own thread wakes
            // itself too: libwebsockets runs timers just before it waits, and would wait with their queued bodies.
            if queue.bodies.count == 1 { raw.wake() }
            return true
        }
    }

    /// Runs `body` on the loop's thread and waits for the result; nil if the loop has ended.
    @discardableResult
    package func wait<Result: Sendable>(for body: @escaping @Sendable () -> Result) -> Result? {
        if isCurrent { return body() }
        let result = Locked<Result?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        let isQueued = enqueue {
            let value = body()
            result.withLock { $0 = value }
            isDone.signal()
        }
        guard isQueued else { return nil }
        isDone.wait()
        return result.withLock { $0 }
    }

    /// Runs `body` on the loop's thread after `delay`, unless it is cancelled before.
    @discardableResult
    package func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Scheduled {
        let scheduled = Scheduled(body)
        execute { [self] in
            let (seconds, attoseconds) = delay.components
            raw?.startTimer(microseconds: seconds * 1_000_000 + attoseconds / 1_000_000_000_000, scheduled)
        }
        return scheduled
    }

    /// Closes every connection with 1001, ends the thread and waits for it. May be called again.
    ///
    /// On the loop's own thread it doesn't wait: a thread can't wait for itself.
    ///
    /// - Parameter last: Runs on the loop's thread after everything else, if this is the first call.
    package func stop(last: @escaping @Sendable () -> Void = {}) {
        execute { [self] in
            queue.withLock { queue in
                if !queue.isStopping { queue.last = last }
                queue.isStopping = true
            }
            members.value.leave()
            // Drops peers that don't answer the close.
            schedule(after: .seconds(2)) { [self] in members.value.stopsWaiting = true }
        }
        if !isCurrent { ended.wait() }
    }

    /// How the loop waits for events.
    package var library: EventLibrary { queue.withLock { $0.library } }

    /// Whether the caller is on the loop's thread.
    package var isCurrent: Bool { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }

    /// The C side; nil once the loop has ended.
    var raw: RawLoop? { queue.withLock { $0.raw } }

    // MARK: On the loop's thread

    private func run(_ raw: RawLoop) {
        while !isOver {
            raw.turn()
            drain(raw)
        }
        // Accept no more bodies, so that no thread wakes a destroyed loop.
        let rest = queue.withLock { queue in
            queue.raw = nil
            defer { queue.bodies = [] }
            return queue.bodies
        }
        for body in rest { body() }
        raw.destroy()
        // Breaks a cycle: a listener's context holds the loop.
        members.value = LoopMembers()
        queue.withLock { queue in
            defer { queue.last = nil }
            return queue.last
        }?()
    }

    private var isOver: Bool {
        queue.withLock { $0.isStopping } && members.value.areClosed
    }

    private func drain(_ raw: RawLoop) {
        let bodies = queue.withLock { queue in
            defer { queue.bodies = [] }
            return queue.bodies
        }
        for body in bodies { body() }
        // Bodies that these bodies queued wait until the sockets had their turn.
        if queue.withLock({ !$0.bodies.isEmpty }) { raw.wake() }
    }
}
