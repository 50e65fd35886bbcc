import Foundation

/// What the code on this thread runs in, as far as a recorder must know. One value for each thread that dispatches.
///
/// It belongs to the thread, not the task: a task that an action starts outlives the dispatch. What tasks inherit is
/// ``EventID/current``.
package struct Ambient {
    /// The innermost code that will record an action or call a dispatch. Its caller keeps it.
    var dispatch: UnsafeMutablePointer<RunningDispatch>?
    /// The innermost dispatch that links the events of several stores. Its caller keeps it.
    package var scope: Unmanaged<AnyObject>?
    /// App code that the recorder called: `encode(to:)`, or the `state:` of `connect`.
    @usableFromInline package var isEncoding = false
    /// The middleware that is being added to a store's chain.
    var announcement: Announcement?

    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        let isMade =
            pthread_key_create(&key) { place in
                #if canImport(Darwin)
                    let value = place.assumingMemoryBound(to: Ambient.self)
                #else
                    guard let value = place?.assumingMemoryBound(to: Ambient.self) else { return }
                #endif
                value.deinitialize(count: 1).deallocate()
            } == 0
        return isMade ? key : nil
    }()

    /// This thread's. The pointer is valid as long as the thread lives; nil if the system has no room for one more key.
    @usableFromInline package static var current: UnsafeMutablePointer<Ambient>? {
        guard let key else { return nil }
        return pthread_getspecific(key)?.assumingMemoryBound(to: Ambient.self) ?? begin(key)
    }

    @inline(never)
    private static func begin(_ key: pthread_key_t) -> UnsafeMutablePointer<Ambient> {
        let place = UnsafeMutablePointer<Ambient>.allocate(capacity: 1)
        place.initialize(to: Ambient())
        pthread_setspecific(key, place)
        return place
    }
}
