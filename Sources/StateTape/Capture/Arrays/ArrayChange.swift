/// What changed in an array from one recorded state to the next.
enum ArrayChange<Element> {
    /// The array begins to be followed.
    case begin([Element])
    /// Some elements have changed where they stand.
    case set([Int], [Element])
    /// Some elements stand where others stood.
    case splice(Range<Int>, [Element])
    /// The array is no longer followed, and what was kept of it can be freed.
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

    /// How many elements at both ends of an array of so many it leaves as they are.
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

/// Two arrays in memory of which some elements at both ends are the same.
struct ArrayEnds {
    let old: UnsafeRawPointer
    let oldCount: Int
    let new: UnsafeRawPointer
    let newCount: Int
    let first: Int
    let last: Int

    func areOf<Element>(_ old: UnsafeBufferPointer<Element>, _ new: UnsafeBufferPointer<Element>) -> Bool {
        old.count == oldCount && new.count == newCount && old.baseAddress.map { UnsafeRawPointer($0) } == self.old
            && new.baseAddress.map { UnsafeRawPointer($0) } == self.new
    }
}
