import StateTapeStore

/// What the work of a test needs.
struct Scene: Sendable {
    let clock = ManualClock()
    let story = Story()
}

/// Notes what happens, and lets a test wait for it.
final class Story: Sendable {
    private let notes = Seen<String>()
    private let store = Store<[String], String>(initial: [], reducer: { $0.append($1) }, isolation: nil)

    var lines: [String] { notes.values }

    func callAsFunction(_ line: String) {
        // The store may queue the line.
        notes(line)
        store.dispatch(line)
    }

    /// Waits until a line was noted.
    func told(_ line: String) async { await state(of: store) { $0.contains(line) } }
}
