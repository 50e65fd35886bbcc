import Foundation

/// Tells from which threads it was encoded.
struct ThreadProbe: Codable, Equatable {
    private nonisolated static let lock = NSLock()
    // Guarded by the lock.
    private nonisolated(unsafe) static var threads: (main: Int, others: Int) = (0, 0)

    nonisolated static var counts: (main: Int, others: Int) { lock.withLock { threads } }

    init() {}

    init(from decoder: any Decoder) throws {
        _ = try decoder.singleValueContainer().decode(Int.self)
    }

    func encode(to encoder: any Encoder) throws {
        let isMain = Thread.isMainThread
        Self.lock.withLock {
            if isMain { Self.threads.main += 1 } else { Self.threads.others += 1 }
        }
        var container = encoder.singleValueContainer()
        try container.encode(1)
    }
}
