/// The recorder's own copy of an array's elements, for the dispatching thread.
///
/// Swift makes the copy, so the objects that it refers to neither change nor go away. An element of the app's array
/// with the same bytes is therefore the same value. After a comparison only the app holds its array.
struct ArrayCopy<Element> {
    package enum Outcome {
        case same
        case changed(ArrayChange<Element>, bytes: Int)
        /// So many changes that sharing the array is cheaper.
        case tooMuch
    }

    private let layout: Layout
    private(set) var elements: [Element] = []

    init(_ layout: Layout) {
        self.layout = layout
    }

    mutating func begin(_ array: [Element]) {
        elements = array
    }

    /// Removes and returns the elements, to be freed elsewhere.
    mutating func end() -> [Element] {
        defer { elements = [] }
        return elements
    }

    /// Compares an array with the elements, and updates the elements.
    mutating func follow(_ array: [Element]) -> Outcome {
        array.withUnsafeBufferPointer { array in
            let limit = max(16, array.count / 8)
            if array.count == elements.count { return set(array, limit) }
            return splice(array, limit)
        }
    }

    private mutating func set(_ array: UnsafeBufferPointer<Element>, _ limit: Int) -> Outcome {
        guard let new = array.baseAddress else { return .same }
        if elements.withUnsafeBufferPointer({ $0.baseAddress == new }) { return .same }
        let layout = layout
        return elements.withUnsafeMutableBufferPointer { elements in
            guard let own = elements.baseAddress else { return .same }
            guard let places = layout.differences(of: own, from: new, count: array.count, limit: limit) else {
                return .tooMuch
            }
            if places.isEmpty { return .same }
            var changed: [Element] = []
            changed.reserveCapacity(places.count)
            for index in places {
                own[index] = new[index]
                layout.matchPadding(of: own + index, to: new + index)
                changed.append(new[index])
            }
            return .changed(.set(places, changed), bytes: places.count * (layout.stride + 64))
        }
    }

    private mutating func splice(_ array: UnsafeBufferPointer<Element>, _ limit: Int) -> Outcome {
        let (first, last) = elements.withUnsafeBufferPointer { ends($0, array) }
        let (removed, inserted) = (first..<elements.count - last, first..<array.count - last)
        guard removed.count <= limit, inserted.count <= limit else { return .tooMuch }
        let added = Array(array[inserted])
        elements.replaceSubrange(removed, with: added)
        return .changed(.splice(removed, added), bytes: added.count * layout.stride + 64)
    }

    /// How many equal elements two arrays begin and end with.
    private func ends(
        _ old: UnsafeBufferPointer<Element>, _ new: UnsafeBufferPointer<Element>
    ) -> (first: Int, last: Int) {
        guard let left = old.baseAddress, let right = new.baseAddress else { return (0, 0) }
        let shorter = min(old.count, new.count)
        let first = layout.commonPrefix(left, right, shorter)
        return (first, layout.commonSuffix(left + old.count, right + new.count, shorter - first))
    }
}
