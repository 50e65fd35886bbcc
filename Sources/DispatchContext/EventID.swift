import Foundation

/// Names an event of a tape from its action's dispatch on, before the tape gives it a position. What the dispatch starts
/// carries it, and names it as its cause.
// A number: a task-local object would take twice as long, and a chain of causes would keep all of them in memory.
package struct EventID: Sendable, Equatable {
    /// The event whose reducer, subscriber or effect runs now; tasks inherit it.
    @TaskLocal package static var current = none
    package static let none = EventID(rawValue: 0)

    private static let numberBits: UInt64 = 40

    private let rawValue: UInt64

    private init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The source of the id, which belongs to one session in this process.
    package var source: Int { Int(rawValue >> Self.numberBits) }
    /// The number within its source, from 0 on.
    package var number: Int { Int(rawValue & (1 << Self.numberBits - 1)) }

    /// Numbers the events of one store; one caller at a time.
    package struct Source {
        private static let lock = NSLock()
        // `lock` protects it.
        nonisolated(unsafe) private static var count: UInt64 = 0

        private var next: UInt64

        package init() {
            next = Self.lock.withLock {
                // After 16 million sources, ids repeat. No source is 0, so that no id is `none`.
                Self.count = Self.count % (1 << (64 - numberBits) - 1) + 1
                return Self.count << numberBits
            }
        }

        package mutating func makeID() -> EventID {
            defer { next += 1 }
            return EventID(rawValue: next)
        }
    }
}
