extension Store {
    /// Calls a closure with an item of an array in the current state, and then each time that the item changes.
    ///
    /// ```swift
    /// let subscription = store.subscribe(\.rows, at: 3) { row in label.text = row?.title }
    /// ```
    ///
    /// Use it for the rows of a list. While the array doesn't change, the store compares nothing but the array, once for
    /// all subscribers of its items. If it changes, the store compares the items that have subscribers, and calls the
    /// subscribers of those that changed. It keeps the last array, so a reducer that changes the array copies it first.
    ///
    /// - Parameters:
    ///   - items: Leads to the array. It is read for each state and should be fast.
    ///   - index: The index of the item, from 0.
    ///   - receive: Called like that of ``subscribe(_:)``, but only for an item that differs from the last one. It
    ///     receives nil if the array has no item at the index.
    /// - Returns: The subscription, which ends when it is released.
    // Inlinable like the next one, so that the app's compiler specializes the comparison.
    @inlinable public func subscribe<Item: Equatable>(
        _ items: KeyPath<State, [Item]>, at index: Int, _ receive: @escaping (Item?) -> Void
    ) -> Subscription {
        subscribe(items, at: index, receive, find: { $0.item(at: index) }) { old, new, places in
            places.indices.filter {
                let index = places[$0]
                // Without optionals, comparing takes half as long.
                guard index >= 0, index < old.count, index < new.count else {
                    return old.item(at: index) != new.item(at: index)
                }
                return old[index] != new[index]
            }
        }
    }

    /// Calls a closure with a value of a dictionary in the current state, and then each time that the value changes.
    ///
    /// It is like the same method for arrays. Comparing a value takes longer, because it is looked up in both
    /// dictionaries.
    ///
    /// - Parameters:
    ///   - values: Leads to the dictionary. It is read for each state and should be fast.
    ///   - key: The key of the value.
    ///   - receive: Called like that of ``subscribe(_:)``, but only for a value that differs from the last one. It
    ///     receives nil if the dictionary has no value for the key.
    /// - Returns: The subscription, which ends when it is released.
    @inlinable public func subscribe<Key: Hashable, Value: Equatable>(
        _ values: KeyPath<State, [Key: Value]>, at key: Key, _ receive: @escaping (Value?) -> Void
    ) -> Subscription {
        subscribe(values, at: key, receive, find: { $0[key] }) { old, new, keys in
            keys.indices.filter { old[keys[$0]] != new[keys[$0]] }
        }
    }

    /// - Parameters:
    ///   - find: Returns the item at the place.
    ///   - differing: Returns the indices of the places at which two collections differ.
    @usableFromInline func subscribe<Collection: Equatable, Place: Hashable, Item>(
        _ path: KeyPath<State, Collection>, at place: Place, _ receive: @escaping (Item?) -> Void,
        find: @escaping (Collection) -> Item?, _ differing: @escaping (Collection, Collection, [Place]) -> [Int]
    ) -> Subscription {
        add(receive) { [unowned self] in
            let collection = selection(path)
            let items = collection.items as? PlacedItems<Collection, Place> ?? PlacedItems(differing)
            collection.items = items
            let item = items.selection(at: place) { ItemSelection(of: collection, at: place) }
            return (item, { [unowned collection] in find(collection.part) })
        }
    }
}

extension Array {
    /// The element at an index; nil if there is none.
    @inlinable func item(at index: Int) -> Element? {
        indices.contains(index) ? self[index] : nil
    }
}
