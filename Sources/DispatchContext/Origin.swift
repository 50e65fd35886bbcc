/// Where an action was dispatched, and the event that caused it.
package struct Origin: Sendable {
    /// Nil if it is unknown.
    package let callSite: CallSite?
    package let cause: EventID

    package init(_ callSite: CallSite?, cause: EventID = .current) {
        self.callSite = callSite
        self.cause = cause
    }

    /// Runs code that dispatches an action for this origin, now or again. The first call site that the code names on
    /// this thread stands for the origin's.
    package func dispatching(_ body: () -> Void) {
        EventID.$current.withValue(cause) { RunningDispatch.run(for: callSite, body) }
    }
}

extension CallSite {
    /// This call site, or the one that it stands for.
    package var original: CallSite? { RunningDispatch.original(self) }
}
