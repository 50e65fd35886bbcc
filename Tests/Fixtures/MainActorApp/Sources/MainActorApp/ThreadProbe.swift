import Dispatch
import Foundation

/// Tells from where it was encoded.
struct ThreadProbe: Codable, Equatable {
    private nonisolated static let lock = NSLock()
    // Guarded by the lock.
    private nonisolated(unsafe) static var encodings: (main: Int, others: Int) = (0, 0)
    private nonisolated static let key = DispatchSpecificKey<Bool>()

    nonisolated static var counts: (main: Int, others: Int) { lock.withLock { encodings } }

    /// Whether this is the main queue. (An asynchronous `main` may leave the main *thread* on Linux.)
    nonisolated static var isOnMain: Bool { DispatchQueue.getSpecific(key: key) == true }

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
