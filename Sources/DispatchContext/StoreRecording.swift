/// The track among a store's middleware, as the store sees it. A store without one pays nothing for causes.
///
/// Only the thread that dispatches uses it, and a store reduces one action at a time.
package final class StoreRecording {
    /// Whether no other middleware comes before the track's: that may start work which the recorded action did not
    /// cause.
    private var isOutermost = true
    // The compiler would check the access at run time, which takes long.
    @exclusivity(unchecked) private var ids = EventID.Source()
    /// The action that is reduced now, until the track takes it.
    @exclusivity(unchecked) private var waiting: RecordedDispatch?

    private init() {}

    /// Adds a middleware to a store's chain.
    ///
    /// - Parameters:
    ///   - inner: The track in the chain so far.
    ///   - add: Calls the middleware with the chain so far.
    /// - Returns: The outermost track in the chain now.
    package static func adding(to inner: StoreRecording?, _ add: () -> Void) -> StoreRecording? {
        let announcement = Announcement()
        let ambient = Ambient.current
        let outer = ambient?.pointee.announcement
        ambient?.pointee.announcement = announcement
        add()
        ambient?.pointee.announcement = outer
        if let found = announcement.recording { return found }
        inner?.isOutermost = false
        return inner
    }

    /// Called by a track's middleware when it is added to a chain.
    ///
    /// - Returns: Nil if it isn't added to a store of `StateTapeStore`.
    package static func begin() -> StoreRecording? {
        guard let announcement = Ambient.current?.pointee.announcement else { return nil }
        let recording = StoreRecording()
        announcement.recording = recording
        return recording
    }

    /// Runs a dispatch of the store.
    ///
    /// - Parameters:
    ///   - reduce: Runs the middleware and the reducer.
    ///   - deliver: Calls the subscribers and starts the effects.
    // Not generic, since the store's closures take less time than generic code.
    package func dispatch(from callSite: CallSite?, _ reduce: () -> Void, then deliver: () -> Void) {
        let id = ids.makeID()
        let origin = Origin(callSite)
        waiting = RecordedDispatch(id: id, origin: origin, isCurrent: isOutermost)
        guard isOutermost else {
            reduce()
            // If it still waits, a middleware has stopped the action.
            let isTaken = waiting == nil
            waiting = nil
            return EventID.$current.withValue(isTaken ? id : origin.cause, operation: deliver)
        }
        EventID.$current.withValue(id) {
            reduce()
            waiting = nil
            deliver()
        }
    }

    /// Takes the dispatch of the action that the track records.
    package func take() -> RecordedDispatch? {
        defer { waiting = nil }
        return waiting
    }
}

/// Asks a middleware that is being added whether it is a track's.
final class Announcement {
    var recording: StoreRecording?
}
