/// The selections of single items of a collection.
class Items<Collection> {
    /// Collects the selections whose items differ.
    func compare(_ old: Collection, _ new: Collection, _ changed: inout [Selection]) {
        preconditionFailure("A subclass compares")
    }
}

/// Selections of items, found by an index or a key.
final class PlacedItems<Collection, Place: Hashable>: Items<Collection> {
    private let differing: (Collection, Collection, [Place]) -> [Int]
    private var list: [Selection] = []
    private var places: [Place] = []
    private var indices: [Place: Int] = [:]

    /// - Parameter differing: Returns the indices of the places at which two collections differ.
    init(_ differing: @escaping (Collection, Collection, [Place]) -> [Int]) {
        self.differing = differing
    }

    var isEmpty: Bool { list.isEmpty }

    /// Returns the selection of an item, and makes it for the first subscriber.
    ///
    /// - Parameter selection: Makes the selection.
    func selection(at place: Place, _ selection: () -> Selection) -> Selection {
        if let index = indices[place] { return list[index] }
        let selection = selection()
        indices[place] = list.count
        list.append(selection)
        places.append(place)
        return selection
    }

    func remove(at place: Place) {
        guard let index = indices.removeValue(forKey: place) else { return }
        let (selection, last) = (list.removeLast(), places.removeLast())
        guard index < list.count else { return }
        (list[index], places[index], indices[last]) = (selection, last, index)
    }

    override func compare(_ old: Collection, _ new: Collection, _ changed: inout [Selection]) {
        for index in differing(old, new, places) { changed.append(list[index]) }
    }
}

/// The selection of one item.
final class ItemSelection<State, Collection: Equatable, Place: Hashable>: Selection {
    private unowned let collection: PartSelection<State, Collection>
    private let place: Place

    init(of collection: PartSelection<State, Collection>, at place: Place) {
        self.collection = collection
        self.place = place
    }

    override func remove(from table: inout SelectionTable) -> Selection? {
        guard let items = collection.items as? PlacedItems<Collection, Place> else { return nil }
        items.remove(at: place)
        guard items.isEmpty else { return nil }
        collection.items = nil
        return collection
    }
}
