/// The actions of a burst whose states were skipped, because the app was faster than the recorder.
struct SkippedStates {
    private var count: Int
    private let first: Int
    private let last: Int

    /// Adds an action's event to those before it.
    init(_ before: SkippedStates?, _ seq: Int) {
        count = (before?.count ?? 0) + 1
        first = before?.first ?? seq
        last = seq
    }

    func note(store: String) -> String {
        """
        A burst of actions outran the recorder: \(count) of them in store “\(store)”, between events \(first) and \
        \(last), have no state. All actions are recorded. For more states, record less of each with “capture: \
        .every.except(…)”; “.latest” skips states by design and costs the app less.
        """
    }
}
