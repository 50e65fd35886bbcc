import Dispatch
import Foundation
import TapeFormat

/// Gives the recorder's work a stack that is large enough for deep and large values.
///
/// Apple's queues have threads with stacks of 512 KB, on which a debug build can encode about 150 nested values. The
/// work is then done by a thread of the recorder's own, while the queue's thread waits.
final class RecorderStack: Sendable {
    /// In bytes of address space. Memory is taken only for what is used.
    static let size = 8 << 20
    /// A thread with this much needs no help.
    private static let enough: UInt = 4 << 20

    private let enough: UInt
    private let worker = Locked<Worker?>(nil)

    /// - Parameter enough: The size in bytes from which on a thread's own stack is used.
    init(enough: UInt = enough) {
        self.enough = enough
    }

    deinit {
        worker.withLock { $0 }?.stop()
    }

    /// Whether the calling thread is the recorder's own.
    var isCurrent: Bool { worker.withLock { $0 }?.isCurrent ?? false }

    /// Runs the work and waits for it. Called on the recorder's queue, or by the work itself.
    func run(_ work: () -> Void) {
        guard ThreadStack.size < enough, !isCurrent else { return work() }
        let worker = worker.withLock { worker in
            let started = worker ?? Worker()
            worker = started
            return started
        }
        worker.run(work)
    }
}

/// A thread that works while another one waits for it.
// Unchecked: the semaphores pass `work` and `isStopped` from one thread to the other.
private final class Worker: @unchecked Sendable {
    private var work: (() -> Void)?
    private var isStopped = false
    private let (begin, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    private let thread = Locked<Thread?>(nil)

    init() {
        let thread = Thread { [self] in
            while true {
                begin.wait()
                if isStopped { return }
                perform()
                done.signal()
            }
        }
        thread.stackSize = RecorderStack.size
        thread.qualityOfService = .utility
        self.thread.withLockUnchecked { $0 = thread }
        thread.start()
    }

    var isCurrent: Bool { thread.withLock { $0 } === Thread.current }

    func run(_ body: () -> Void) {
        withoutActuallyEscaping(body) { body in
            work = body
            begin.signal()
            done.wait()
            work = nil
        }
    }

    func stop() {
        isStopped = true
        begin.signal()
    }

    /// A function of its own, so that no reference to the work is left when the other thread goes on.
    @inline(never)
    private func perform() {
        #if canImport(ObjectiveC)
            autoreleasepool { work?() }
        #else
            work?()
        #endif
    }
}
