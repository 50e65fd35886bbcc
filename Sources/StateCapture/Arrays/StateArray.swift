/// An array in the states of a store, independent of its element type.
class StateArray {
    final let offset: Int

    init(offset: Int) {
        self.offset = offset
    }

    /// Looks at the array of the next recorded state; on the dispatching thread.
    ///
    /// - Returns: Whether the recorder has its own copy of the elements, and how many bytes this state costs it.
    func look(at place: UnsafeRawPointer, position: Int) -> (isOwn: Bool, cost: Int) { (false, 0) }

    /// Removes the array from a state.
    func clear(_ place: UnsafeMutableRawPointer) {}

    /// Applies the changes up to a state; on the recorder's thread, as are the next two.
    func follow(to position: Int) {}
    /// Restores the array in a state that was submitted without it.
    func fill(_ place: UnsafeMutableRawPointer) {}
    /// The ends that the array shares with the previous one.
    var ends: ArrayEnds? { nil }

    /// Recording has ended; on the recorder's thread.
    func close() {}

    static func make(_ place: ArrayPlace, _ layouts: Layouts, _ policy: ArrayHabit.Policy) -> StateArray {
        func make<Element>(_ element: Element.Type) -> StateArray {
            ElementsArray<Element>(offset: place.offset, layouts.layout(of: element), policy)
        }
        return _openExistential(place.element, do: make)
    }
}

private final class ElementsArray<Element>: StateArray {
    private let stride: Int
    private let log = ArrayLog()
    /// Cached: looking up a generic type is slow.
    private let stepType = ArrayStep<Element>.self
    // Used by the dispatching thread:
    private var habit: ArrayHabit
    private var isOwn = false
    private var copy: ArrayCopy<Element>
    // Used by the recorder's thread:
    private var follower: ArrayFollower<Element>

    init(offset: Int, _ layout: Layout, _ policy: ArrayHabit.Policy) {
        stride = layout.stride
        habit = ArrayHabit(policy)
        copy = ArrayCopy(layout)
        follower = ArrayFollower(log)
        super.init(offset: offset)
    }

    override func look(at place: UnsafeRawPointer, position: Int) -> (isOwn: Bool, cost: Int) {
        // An array value is the address of its storage.
        let address = place.load(as: UInt.self)
        let array = place.assumingMemoryBound(to: [Element].self)
        if isOwn {
            if let cost = compare(array.pointee, at: address, position) { return (true, cost) }
            isOwn = false
            log.append(stepType.init(.end(copy.end()), at: position))
            return (false, array.pointee.count * stride)
        }
        return (false, habit.share(at: address) ? share(array.pointee, position) : 0)
    }

    /// - Returns: Bytes of the changes; nil if the array is shared from now on.
    private func compare(_ array: [Element], at address: UInt, _ position: Int) -> Int? {
        guard let waiting = log.bytes, waiting <= habit.policy.maxWaiting else {
            habit.giveUp()
            return nil
        }
        switch copy.follow(array) {
        case .same: return habit.compare(at: address, isChanged: false) ? 0 : nil
        case .changed(let change, let bytes):
            guard habit.compare(at: address, isChanged: true) else { return nil }
            log.append(stepType.init(change, at: position, bytes: bytes))
            return bytes
        case .tooMuch:
            habit.giveUp()
            return nil
        }
    }

    /// - Returns: Bytes of the array, which has changed.
    private func share(_ array: [Element], _ position: Int) -> Int {
        let bytes = array.count * stride
        // The recorder's thread must have applied the changes from the last time.
        if habit.begins(bytes: bytes), log.bytes == 0 {
            isOwn = true
            copy.begin(array)
            log.append(stepType.init(.begin(array), at: position))
        }
        return bytes
    }

    override func clear(_ place: UnsafeMutableRawPointer) {
        place.assumingMemoryBound(to: [Element].self).pointee = []
    }

    override func follow(to position: Int) { follower.follow(to: position) }

    override func fill(_ place: UnsafeMutableRawPointer) {
        place.assumingMemoryBound(to: [Element].self).pointee = follower.array
    }

    override func close() {
        log.close()
        follower = ArrayFollower(log)
    }

    override var ends: ArrayEnds? { follower.ends }
}
