/// An array or object while a patch is applied, removed from its parent so that it is edited in place.
///
/// After several lookups a large object gets an index. It then keeps the positions of removed members until it is closed,
/// so that the cost of an operation doesn't depend on the object's size.
final class OpenContainer {
    /// What goes in or comes out.
    enum Content {
        case value(JSON)
        case child(OpenChild)
    }

    /// The number of lookups, and of members, from which on an index pays.
    private static let fewLookups = 16
    private static let fewMembers = 16

    let isObject: Bool
    /// In a large state: what is read of its text. Arrays and objects that come in are then kept as text.
    private let levels: ReadLevels?
    private var members: [JSON.Object.Member] = []
    private var elements: [JSON] = []
    private var children = OpenChildren()
    private var lookups = 0
    private var index: [UTF8Text: Int]?
    /// Removed members whose positions stay, so that the index is valid.
    private var removed: Set<Int> = []

    /// Nil for a scalar.
    init?(_ value: consuming JSON, _ levels: ReadLevels? = nil) {
        self.levels = levels
        if case .object(let object) = value {
            isObject = true
            members = object.members
        } else if case .array(let elements) = value {
            isObject = false
            self.elements = elements
        } else {
            return nil
        }
    }

    /// Reads a level of a large state.
    init(reading text: UnreadText, _ levels: ReadLevels) throws(Patch.Failure) {
        let level = try text.level()
        self.levels = levels
        isObject = level.isObject
        children = OpenChildren(level.texts, of: level.values.count)
        if isObject {
            members = zip(level.keys, level.values).map { JSON.Object.Member(key: $0, value: $1) }
        } else {
            elements = level.values
        }
        levels.count(self.count, isObject: isObject)
    }

    private init(copying other: OpenContainer) {
        (isObject, levels) = (other.isObject, other.levels)
        (members, elements, children) = (other.members, other.elements, other.children.copy())
        (lookups, index, removed) = (other.lookups, other.index, other.removed)
    }

    func copy() -> OpenContainer { OpenContainer(copying: self) }

    /// The number of positions, including removed members.
    var count: Int { isObject ? members.count : elements.count }

    /// The position of a key or index; nil if it is missing.
    func position(of token: String) -> Int? {
        guard isObject else { return Pointer.index(token).flatMap { $0 < elements.count ? $0 : nil } }
        lookups += 1
        if index == nil, lookups > Self.fewLookups, members.count > Self.fewMembers {
            index = Dictionary(
                members.enumerated().map { (UTF8Text($1.key), $0) }, uniquingKeysWith: { first, _ in first })
        }
        if let index { return index[UTF8Text(token)] }
        return members.firstIndex { $0.key.hasSameUTF8(as: token) }
    }

    /// Opens the container at a position; nil for a scalar.
    func child(at position: Int) throws(Patch.Failure) -> OpenContainer? {
        let child: OpenContainer
        switch (children[position], levels) {
        case (.open(let open), _): return open
        case (.unread(let text), let levels?): child = try OpenContainer(reading: text, levels)
        default:
            let value = exchange(position, .null)
            guard let open = OpenContainer(value, levels) else {
                _ = exchange(position, value)
                return nil
            }
            child = open
        }
        children.set(.open(child), at: position, of: count)
        return child
    }

    /// The value at a position.
    func value(at position: Int) throws(Patch.Failure) -> JSON {
        if let child = children[position] {
            // What a large state has as text stays so.
            guard levels == nil else { return try child.copy().close() }
            children.set(nil, at: position, of: count)
            _ = exchange(position, try child.close())
        }
        return isObject ? members[position].value : elements[position]
    }

    func replace(at position: Int, by content: Content) {
        switch content {
        case .value(let value):
            let text = levels?.text(of: value)
            children.set(text.map(OpenChild.unread), at: position, of: count)
            _ = exchange(position, text == nil ? value : .null)
        case .child(let child):
            _ = exchange(position, .null)
            children.set(child, at: position, of: count)
        }
    }

    /// Appends a member to an object that lacks its key.
    func append(_ key: String, _ content: Content) {
        index?[UTF8Text(key)] = members.count
        children.insert(at: members.count)
        members.append(JSON.Object.Member(key: key, value: .null))
        replace(at: members.count - 1, by: content)
    }

    /// Inserts an element into an array.
    func insert(_ content: Content, at position: Int) {
        children.insert(at: position)
        elements.insert(.null, at: position)
        replace(at: position, by: content)
    }

    func remove(at position: Int) -> Content {
        let child = children[position]
        let value = exchange(position, .null)
        if index != nil {
            children.set(nil, at: position, of: count)
            index?[UTF8Text(members[position].key)] = nil
            removed.insert(position)
        } else {
            children.remove(at: position)
            if isObject { members.remove(at: position) } else { elements.remove(at: position) }
        }
        return child.map(Content.child) ?? .value(value)
    }

    /// Returns the value with all changes. The container must not be used afterwards.
    func close() throws(Patch.Failure) -> JSON {
        for (position, child) in children.takeAll() { _ = exchange(position, try child.close()) }
        defer {
            members = []
            elements = []
        }
        guard isObject else { return .array(elements) }
        if !removed.isEmpty {
            members = members.enumerated().filter { !removed.contains($0.offset) }.map(\.element)
        }
        return .object(JSON.Object(distinct: members))
    }

    /// The size of the text as `JSON.Footprint` counts it.
    func size() throws(Patch.Failure) -> Int {
        var size = 2
        try each { (key, value, child) throws(Patch.Failure) in
            size += key.map { 4 + $0.utf8.count } ?? 1
            switch child {
            case .open(let container)?: size += try container.size()
            case .unread(let text)?: size += try text.size()
            case nil: size += JSON.Footprint.text(of: value)
            }
        }
        return size
    }

    /// Visits the positions in their order, without removed members.
    func each<Failure>(
        _ body: (_ key: String?, _ value: JSON, _ child: OpenChild?) throws(Failure) -> Void
    ) throws(Failure) {
        for position in 0..<count where !removed.contains(position) {
            if isObject {
                try body(members[position].key, members[position].value, children[position])
            } else {
                try body(nil, elements[position], children[position])
            }
        }
    }

    private func exchange(_ position: Int, _ value: JSON) -> JSON {
        var value = value
        if isObject { swap(&members[position].value, &value) } else { swap(&elements[position], &value) }
        return value
    }
}

extension OpenContainer.Content {
    /// Returns the value with all changes.
    consuming func close() throws(Patch.Failure) -> JSON {
        switch self {
        case .value(let value): value
        case .child(let child): try child.close()
        }
    }
}
