import TapeFormat

/// Two states of an array, and which old element became which new one.
struct ArrayPair<Element> {
    let old: UnsafeBufferPointer<Element>
    let new: UnsafeBufferPointer<Element>
    /// How many elements are the same at the start.
    let first: Int
    /// For each new element between the equal ends: the index of its old element, counted from `first`; nil for an
    /// added element.
    let origins: [Int?]
    private let oldCount: Int
    private let layout: Layout

    /// - Parameter ends: The ends that are known to be the same.
    init(
        _ old: UnsafeBufferPointer<Element>, _ new: UnsafeBufferPointer<Element>, _ layout: Layout,
        _ identity: ElementIdentity?, _ ends: ArrayEnds? = nil
    ) {
        self.old = old
        self.new = new
        self.layout = layout
        let shorter = min(old.count, new.count)
        guard shorter > 0, let left = old.baseAddress, let right = new.baseAddress else {
            (first, oldCount) = (0, old.count)
            origins = [Int?](repeating: nil, count: new.count)
            return
        }
        let (first, last) =
            layout.isValue
            ? Self.commonEnds(UnsafeRawPointer(left), UnsafeRawPointer(right), old.count, new.count, layout, ends)
            : (0, 0)
        self.first = first
        oldCount = old.count - first - last
        let middle = Middle(
            old: UnsafeRawPointer(left + first), oldCount: oldCount, new: UnsafeRawPointer(right + first),
            newCount: new.count - first - last, layout: layout)
        origins = layout.isValue ? middle.origins(by: identity) : middle.positions
    }

    /// The steps that bring the old elements into the places of the new ones; nil if there are too many.
    var steps: Reordering? { Reordering(origins: origins, oldCount: oldCount) }

    /// Whether an old and a new element are surely the same, both counted from `first`.
    func isSame(_ origin: Int, _ offset: Int) -> Bool {
        guard layout.isValue, let left = old.baseAddress, let right = new.baseAddress else { return false }
        return layout.isSame(left + first + origin, right + first + offset)
    }

    private static func commonEnds(
        _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ leftCount: Int, _ rightCount: Int, _ layout: Layout,
        _ ends: ArrayEnds?
    ) -> (Int, Int) {
        let stride = layout.stride
        let (known, knownLast) = (ends?.first ?? 0, ends?.last ?? 0)
        let shorter = min(leftCount, rightCount)
        let first =
            known + layout.commonPrefix(left + known * stride, right + known * stride, shorter - known - knownLast)
        let last =
            knownLast
            + layout.commonSuffix(
                left + (leftCount - knownLast) * stride, right + (rightCount - knownLast) * stride,
                shorter - first - knownLast)
        return (first, last)
    }
}

/// The elements between the equal ends.
private struct Middle {
    let old: UnsafeRawPointer
    let oldCount: Int
    let new: UnsafeRawPointer
    let newCount: Int
    let layout: Layout

    private func old(_ index: Int) -> UnsafeRawPointer { old + index * layout.stride }
    private func new(_ index: Int) -> UnsafeRawPointer { new + index * layout.stride }

    var positions: [Int?] { (0..<newCount).map { $0 < oldCount ? $0 : nil } }

    func origins(by identity: ElementIdentity?) -> [Int?] {
        guard oldCount > 0, newCount > 0 else { return positions }
        guard let identity else { return originsByBytes }
        let before = ElementIdentity.Elements(start: old, count: oldCount, stride: layout.stride)
        let now = ElementIdentity.Elements(start: new, count: newCount, stride: layout.stride)
        // Usually every element is where it was.
        if identity.areInOrder(before, now) { return positions }
        return identity.origins(before, now) ?? originsByBytes
    }

    /// Elements with the same bytes are the same. An unmatched element between two of them has changed in place.
    private var originsByBytes: [Int?] {
        var places: [Bytes: [Int]] = [:]
        for index in (0..<oldCount).reversed() { places[Bytes(old(index), layout), default: []].append(index) }
        var origins: [Int?] = (0..<newCount).map { places[Bytes(new($0), layout)]?.popLast() }
        let kept = origins.compactMap(\.self)
        // Elements that changed their order are moved, and no element is paired by its place.
        guard zip(kept, kept.dropFirst()).allSatisfy({ $0 < $1 }) else { return origins }
        // The limit of a changed element's old place: the next element that was kept.
        var limits = [Int](repeating: oldCount, count: newCount)
        for index in (0..<newCount).dropLast().reversed() { limits[index] = origins[index + 1] ?? limits[index + 1] }
        var place = 0
        for index in 0..<newCount {
            if let origin = origins[index] {
                place = origin + 1
            } else if place < limits[index] {
                origins[index] = place
                place += 1
            }
        }
        return origins
    }
}

/// An element as a dictionary key, by its bytes.
private struct Bytes: Hashable {
    private let element: UnsafeRawPointer
    private let layout: Layout

    init(_ element: UnsafeRawPointer, _ layout: Layout) {
        self.element = element
        self.layout = layout
    }

    static func == (left: Bytes, right: Bytes) -> Bool { left.layout.isSame(left.element, right.element) }
    func hash(into hasher: inout Hasher) { layout.hash(element, into: &hasher) }
}
