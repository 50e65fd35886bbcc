/// A dispatch whose action is about to be recorded.
package struct RecordedDispatch: Sendable {
    /// The id of the action's event.
    package let id: EventID
    package let origin: Origin
    /// Whether the code after the reducer runs with the id already.
    package let isCurrent: Bool

    package init(id: EventID, origin: Origin, isCurrent: Bool) {
        self.id = id
        self.origin = origin
        self.isCurrent = isCurrent
    }
}
