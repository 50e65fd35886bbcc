extension Store {
    /// Calls a closure with a part of the current state, and then each time that the part changes.
    ///
    /// The store compares the part once for each state, for all subscribers with an equal key path. Two key paths with a
    /// subscript are equal if its arguments are. For the rows of a list use
    /// ``subscribe(_:at:_:)-(_,Int,_)``: the store reads and compares each of a thousand key paths for each state.
    ///
    /// - Parameters:
    ///   - path: Leads to the part. It is read for each state and should be fast.
    ///   - receive: Called like that of ``subscribe(_:)``, but only for a part that differs from the last one.
    /// - Returns: The subscription, which ends when it is released.
    public func subscribe<Part: Equatable>(
        _ path: KeyPath<State, Part>, _ receive: @escaping (Part) -> Void
    ) -> Subscription {
        add(receive) { [unowned self] in
            let selection = selection(path)
            return (selection, { [unowned selection] in selection.part })
        }
    }

    /// Returns the selection of a key path, and makes it for the first subscriber; on the worker.
    func selection<Part: Equatable>(_ path: KeyPath<State, Part>) -> PartSelection<State, Part> {
        if let selection = selections[path] as? PartSelection<State, Part> { return selection }
        let selection = PartSelection(path, of: state)
        selections.add(selection, at: path)
        return selection
    }
}
