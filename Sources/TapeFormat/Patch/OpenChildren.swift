/// The open containers inside a container, by their positions in it.
struct OpenChildren {
    /// The maximum number of children without an array of all positions.
    private static let maxFew = 32

    private var few: [(position: Int, container: OpenContainer)] = []
    /// Empty, or one entry for each position.
    private var all: [OpenContainer?] = []

    subscript(position: Int) -> OpenContainer? {
        all.isEmpty ? few.first { $0.position == position }?.container : all[position]
    }

    /// - Parameter count: The number of positions.
    mutating func set(_ container: OpenContainer?, at position: Int, of count: Int) {
        if all.isEmpty, container != nil, few.count == Self.maxFew {
            all = Array(repeating: nil, count: count)
            for child in few { all[child.position] = child.container }
            few = []
        }
        if !all.isEmpty {
            all[position] = container
        } else {
            few.removeAll { $0.position == position }
            if let container { few.append((position, container)) }
        }
    }

    /// Inserts a position; later positions move up.
    mutating func insert(at position: Int) {
        if all.isEmpty { move(from: position, by: 1) } else { all.insert(nil, at: position) }
    }

    /// Removes a position with its container; later positions move down.
    mutating func remove(at position: Int) {
        if !all.isEmpty {
            all.remove(at: position)
        } else {
            few.removeAll { $0.position == position }
            move(from: position, by: -1)
        }
    }

    private mutating func move(from position: Int, by step: Int) {
        for index in few.indices where few[index].position >= position { few[index].position += step }
    }

    /// Removes and returns all containers.
    mutating func takeAll() -> [(position: Int, container: OpenContainer)] {
        let children = few + all.enumerated().compactMap { position, container in container.map { (position, $0) } }
        self = OpenChildren()
        return children
    }
}
