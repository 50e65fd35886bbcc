import Dispatch
import Foundation

/// Tells from where it was encoded.
nonisolated struct ThreadProbe: Codable, Equatable {
    private static let lock = NSLock()
    // Guarded by the lock.
    private nonisolated(unsafe) static var encodings: (main: Int, others: Int) = (0, 0)
    private static let key = DispatchSpecificKey<Bool>()

    static var counts: (main: Int, others: Int) { lock.withLock { encodings } }

    /// Whether this is the main queue. (An asynchronous `main` may leave the main *thread* on Linux.)
    static var isOnMain: Bool { DispatchQueue.getSpecific(key: key) == true }

    static func prepare() { DispatchQueue.main.setSpecific(key: key, value: true) }

    init() {}

    init(from decoder: any Decoder) throws {
        _ = try decoder.singleValueContainer().decode(Int.self)
    }

    func encode(to encoder: any Encoder) throws {
        let isMain = Self.isOnMain
        Self.lock.withLock {
            if isMain { Self.encodings.main += 1 } else { Self.encodings.others += 1 }
        }
        var container = encoder.singleValueContainer()
        try container.encode(1)
    }
}

/// Ends the process if it is encoded or decoded off the main actor.
struct MainProbe: Codable, Equatable {
    private static var encodings = 0

    init() {}

    init(from decoder: any Decoder) throws {
        MainActor.preconditionIsolated("decoded off the main actor")
        _ = try decoder.singleValueContainer().decode([Int].self).map { $0 + Self.encodings }
    }

    func encode(to encoder: any Encoder) throws {
        MainActor.preconditionIsolated("encoded off the main actor")
        Self.encodings += 1
        var container = encoder.singleValueContainer()
        // The compiler has the closure check where it runs.
        try container.encode([1, 2].map { $0 * min(Self.encodings, 1) })
    }
}
