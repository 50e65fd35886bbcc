/// The subscribers of one part of a state. The store compares the part once for all of them.
@usableFromInline class Selection {
    /// Protected by the store's lock. Only the store's worker uses everything else.
    var subscribers = SubscriberList()

    deinit {
        subscribers.releaseClosures()
    }

    /// Removes this selection from where it was found.
    ///
    /// - Parameter table: The selections of the store.
    /// - Returns: The selection of the whole, if nothing else beneath it is selected.
    func remove(from table: inout SelectionTable) -> Selection? {
        preconditionFailure("A subclass removes itself")
    }
}

/// A selection from states of one type.
class StateSelection<State>: Selection {
    /// Compares the part with that of the last state. Collects this selection and those beneath that have changed.
    func compare(_ state: State, _ changed: inout [Selection]) {
        preconditionFailure("A subclass compares")
    }
}

/// The selections of a store, found by their key paths.
// Not generic, because that takes several times as long for each selection of a dispatch.
struct SelectionTable {
    private var list: [Selection] = []
    private var paths: [AnyKeyPath] = []
    private var indices: [AnyKeyPath: Int] = [:]

    var isEmpty: Bool { list.isEmpty }

    subscript(path: AnyKeyPath) -> Selection? { indices[path].map { list[$0] } }

    mutating func add(_ selection: Selection, at path: AnyKeyPath) {
        indices[path] = list.count
        list.append(selection)
        paths.append(path)
    }

    mutating func remove(at path: AnyKeyPath) {
        guard let index = indices.removeValue(forKey: path) else { return }
        let (selection, last) = (list.removeLast(), paths.removeLast())
        guard index < list.count else { return }
        (list[index], paths[index], indices[last]) = (selection, last, index)
    }

    /// Compares all of them with a state of the store.
    func compare<State>(_ state: State, _ changed: inout [Selection]) {
        // The store adds selections of its states only.
        for selection in list { unsafeDowncast(selection, to: StateSelection<State>.self).compare(state, &changed) }
    }
}
