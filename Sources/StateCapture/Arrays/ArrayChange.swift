/// A change of an array from one recorded state to the next.
enum ArrayChange<Element> {
    /// Starts following the array.
    case begin([Element])
    /// Some elements have changed in place.
    case set([Int], [Element])
    /// Elements replace a range of others.
    case splice(Range<Int>, [Element])
    /// Stops following the array; its copy can be freed.
    case end([Element])

    func apply(to array: inout [Element]) {
        switch self {
        case .begin(let elements): array = elements
        case .set(let places, let elements):
            for (number, place) in places.enumerated() { array[place] = elements[number] }
        case .splice(let range, let elements): array.replaceSubrange(range, with: elements)
        case .end: array = []
        }
    }

    /// How many elements at both ends of an array of this length the change leaves as they are.
    func kept(of count: Int) -> (first: Int, last: Int) {
        switch self {
        case .begin, .end: return (0, 0)
        case .set(let places, _):
            guard let first = places.first, let last = places.last else { return (count, 0) }
            return (first, count - 1 - last)
        case .splice(let range, _): return (range.lowerBound, count - range.upperBound)
        }
    }
}
