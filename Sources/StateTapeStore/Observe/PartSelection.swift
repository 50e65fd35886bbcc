/// The selection of what a key path leads to.
final class PartSelection<State, Part: Equatable>: StateSelection<State> {
    private let path: KeyPath<State, Part>
    /// The part of the last state.
    private(set) var part: Part
    /// The selected items, if the part is a collection. All of them are found in the same way.
    var items: Items<Part>?

    init(_ path: KeyPath<State, Part>, of state: State) {
        self.path = path
        part = state[keyPath: path]
    }

    override func compare(_ state: State, _ changed: inout [Selection]) {
        let next = state[keyPath: path]
        if next == part { return }
        changed.append(self)
        let last = part
        part = next
        items?.compare(last, next, &changed)
    }

    override func remove(from table: inout SelectionTable) -> Selection? {
        if items == nil { table.remove(at: path) }
        return nil
    }
}
