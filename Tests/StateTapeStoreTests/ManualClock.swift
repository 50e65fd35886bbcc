import Foundation

/// A clock that stands still until a test advances it.
// Unchecked: the lock protects all properties.
final class ManualClock: Clock, @unchecked Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration = .zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private typealias Sleeper = (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)
    private typealias Watcher = (count: Int, continuation: CheckedContinuation<Void, Never>)

    private let lock = NSLock()
    private var time = Instant()
    private var sleepers: [Int: Sleeper] = [:]
    private var watchers: [Watcher] = []
    private var count = 0

    var now: Instant { lock.withLock { time } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let number = lock.withLock {
            count += 1
            return count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = lock.withLock {
                    if Task.isCancelled || deadline <= time { return true }
                    sleepers[number] = (deadline, continuation)
                    return false
                }
                if isOver { continuation.resume(with: Result { try Task.checkCancellation() }) } else { tellWatchers() }
            }
        } onCancel: {
            lock.withLock { sleepers.removeValue(forKey: number) }?.continuation.resume(throwing: CancellationError())
            tellWatchers()
        }
    }

    func advance(by duration: Duration) {
        let due = lock.withLock {
            time = time.advanced(by: duration)
            let due = sleepers.filter { $0.value.deadline <= time }
            for number in due.keys { sleepers[number] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.continuation.resume() }
        tellWatchers()
    }

    /// Waits until so many tasks sleep.
    func sleeping(_ count: Int) async {
        await withCheckedContinuation { continuation in
            lock.withLock { watchers.append((count, continuation)) }
            tellWatchers()
        }
    }

    private func tellWatchers() {
        let ready = lock.withLock {
            let ready = watchers.filter { $0.count == sleepers.count }
            watchers.removeAll { $0.count == sleepers.count }
            return ready
        }
        for watcher in ready { watcher.continuation.resume() }
    }
}
