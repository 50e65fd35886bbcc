/// An array or object inside an open container that isn't there as a value.
enum OpenChild {
    case open(OpenContainer)
    case unread(UnreadText)

    /// A container that can change without changing this one.
    func copy() -> OpenChild {
        if case .open(let container) = self { .open(container.copy()) } else { self }
    }

    /// Returns the value with all changes. An open container must not be used afterwards.
    consuming func close() throws(Patch.Failure) -> JSON {
        switch self {
        case .open(let container): try container.close()
        case .unread(let text): try text.json()
        }
    }
}

/// The open and unread children of a container, by their positions in it.
struct OpenChildren {
    /// The maximum number of children without an array of all positions.
    private static let maxFew = 32

    private var few: [(position: Int, child: OpenChild)] = []
    /// Empty, or one entry for each position.
    private var all: [OpenChild?] = []

    init() {}

    init(_ texts: [(position: Int, text: UnreadText)], of count: Int) {
        guard texts.count > Self.maxFew else {
            few = texts.map { ($0.position, .unread($0.text)) }
            return
        }
        all = Array(repeating: nil, count: count)
        for (position, text) in texts { all[position] = .unread(text) }
    }

    subscript(position: Int) -> OpenChild? {
        all.isEmpty ? few.first { $0.position == position }?.child : all[position]
    }

    /// - Parameter count: The number of positions.
    mutating func set(_ child: OpenChild?, at position: Int, of count: Int) {
        if all.isEmpty, child != nil, few.count == Self.maxFew {
            all = Array(repeating: nil, count: count)
            for entry in few { all[entry.position] = entry.child }
            few = []
        }
        if !all.isEmpty {
            all[position] = child
        } else {
            few.removeAll { $0.position == position }
            if let child { few.append((position, child)) }
        }
    }

    /// Inserts a position; later positions move up.
    mutating func insert(at position: Int) {
        if all.isEmpty { move(from: position, by: 1) } else { all.insert(nil, at: position) }
    }

    /// Removes a position with its child; later positions move down.
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

    /// Removes and returns all children.
    mutating func takeAll() -> [(position: Int, child: OpenChild)] {
        let children = few + all.enumerated().compactMap { position, child in child.map { (position, $0) } }
        self = OpenChildren()
        return children
    }

    func copy() -> OpenChildren {
        var copy = self
        for index in few.indices { copy.few[index].child = few[index].child.copy() }
        for index in all.indices {
            if case .open(let container)? = all[index] { copy.all[index] = .open(container.copy()) }
        }
        return copy
    }
}
