import Dispatch
import Foundation

/// Delivers the newest part of a store's state on the main actor: at once for a dispatch on the main actor, soon after
/// for another one.
///
/// An older part never arrives after a newer one, because both ways take the newest part from the same place.
// Unchecked: the lock protects `newest`, and `receive` belongs to the main actor. A part that isn't Sendable comes from a
// store that isn't either. That store was given on the main actor, so all its dispatches run there.
final class MainDelivery<Part>: @unchecked Sendable {
    private let lock = NSLock()
    private var newest: Part?
    private let receive: @MainActor (Part) -> Void

    init(_ receive: @escaping @MainActor (Part) -> Void) {
        self.receive = receive
    }

    /// May be called from any thread, but by one thread at a time.
    func callAsFunction(_ part: Part) {
        var older: Part? = part
        // The older part is released outside of the lock.
        lock.withLock { swap(&newest, &older) }
        if MainQueue.isCurrent {
            MainActor.assumeIsolated { deliver() }
        } else if older == nil {
            Task { @MainActor in deliver() }
        }
    }

    @MainActor private func deliver() {
        let part = lock.withLock {
            defer { newest = nil }
            return newest
        }
        if let part { receive(part) }
    }
}

/// The main actor's queue. On Linux, another thread than the main thread may run it.
private enum MainQueue {
    private static let key: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) != nil }
}
