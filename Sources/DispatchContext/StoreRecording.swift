/// Where a track is among a store's middleware. A store without one pays nothing for causes.
package struct StoreRecording {
    /// The session that records the store. Nil if other middleware comes first, which may start work that the recorded
    /// action did not cause.
    package let session: Int?

    /// Adds a middleware to the chain.
    ///
    /// - Parameters:
    ///   - inner: Where a track is in the chain so far.
    ///   - add: Calls the middleware with the chain so far.
    package init?(inside inner: StoreRecording?, adding add: () -> Void) {
        let announcement = Announcement()
        Announcement.$current.withValue(announcement, operation: add)
        if inner == nil, announcement.session == nil { return nil }
        session = announcement.session
    }

    /// Called by a track's middleware when a store adds it.
    package static func begin(session: Int) {
        Announcement.current?.session = session
    }
}

// Unchecked: only the thread that adds the middleware uses it.
private final class Announcement: @unchecked Sendable {
    @TaskLocal static var current: Announcement?

    var session: Int?
}
