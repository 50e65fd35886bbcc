/// Where an action was dispatched, and the event that caused it.
package struct Origin: Sendable {
    /// Nil if it is unknown.
    package let callSite: CallSite?
    package let cause: EventID
    /// The queued action of a locked app that is dispatched again; nil for others, or if that is unknown.
    package let queued: QueuedID?

    package init(_ callSite: CallSite?, cause: EventID = .current, queued: QueuedID? = nil) {
        self.callSite = callSite
        self.cause = cause
        self.queued = queued
    }

    /// The origin of an action that is dispatched here, or of the one that is dispatched again.
    package static func here(_ callSite: CallSite?) -> Origin {
        of(callSite, queued: RunningDispatch.takeQueued())
    }

    /// - Parameter queued: The queued action that is dispatched here again; nil if that is unknown.
    package static func of(_ callSite: CallSite?, queued: QueuedID? = nil) -> Origin {
        Origin(callSite == nil ? RunningDispatch.placeWithoutLine() : callSite?.original, queued: queued)
    }

    /// Runs code that dispatches an action for this origin, now or again. The first call site that the code names on
    /// this thread stands for the origin's.
    ///
    /// - Parameter queued: The queued action, which the first origin that the code makes carries.
    package func dispatching(as queued: QueuedID? = nil, _ body: () -> Void) {
        EventID.$current.withValue(cause) { RunningDispatch.run(for: self, queued, body) }
    }
}

/// Names a queued action on its way back into its store.
package struct QueuedID: Sendable, Equatable {
    package let store: ObjectIdentifier
    package let number: Int

    package init(store: ObjectIdentifier, number: Int) {
        self.store = store
        self.number = number
    }
}

extension CallSite {
    /// This call site, or the one that it stands for.
    package var original: CallSite? { RunningDispatch.original(self) }
}
