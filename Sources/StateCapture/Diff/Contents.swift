import TapeFormat

/// The values that `encode(to:)` wrote into one container, not their text.
///
/// Nested containers, and those for a superclass, are contents as well. They may be written to until the whole encoding
/// ends.
final class Contents {
    enum Kind {
        /// The value requested no container.
        case none
        case single
        case keyed
        case unkeyed
    }

    /// A member of a keyed container, or an element of another.
    struct Entry {
        /// Empty except in keyed containers.
        let key: String
        var value: any Encodable
        /// Whether it is surely the same as the previous entry at this position.
        var isSame: Bool
        /// Whether the value is ``Redacted``.
        var isRedacted = false
        var meaning: Redactor.Meaning = []
    }

    private(set) var kind = Kind.none
    private(set) var entries: [Entry] = []
    private unowned let differ: Differ
    private let slice: Slice?
    /// How many containers are around this one.
    private let depth: Int
    /// How the value's type is written: its elements may be alternating keys and values.
    private let collection: Leaf
    /// The value's previous entries: an entry that is the same at the same position is not copied again.
    private var before: [Entry]
    private let kindBefore: Kind
    /// The maximum number of entries.
    private let limit: Int
    private var positions: [UTF8Text: Int] = [:]
    /// What the members mean: a name and a value are a pair.
    private var meanings: Redactor.Meaning = []
    private var isDictionary = false

    init(
        of differ: Differ, _ slice: Slice?, depth: Int = 0, _ collection: Leaf = .none, after before: Contents? = nil,
        limit: Int = .max
    ) {
        self.differ = differ
        self.slice = slice
        self.depth = depth
        self.collection = collection
        self.before = before?.entries ?? []
        kindBefore = before?.kind ?? .none
        self.limit = limit
        entries.reserveCapacity(self.before.count)
    }

    var codingPath: [any CodingKey] {
        // What is written may depend on it.
        differ.encoder.state.pointee.needsWhole = true
        return differ.path.codingPath
    }

    /// Settles the kind of container. No encoder can write two kinds.
    func ask(for kind: Kind) {
        if self.kind == .none {
            self.kind = kind
            // What a member is to a key, it isn't to an element at its position.
            if kindBefore != kind { before = [] }
        }
        if self.kind != kind { differ.misuse = differ.path.error("containers of two kinds for one value") }
    }

    /// Notes the type of a container's keys.
    func ask(for key: ObjectIdentifier) {
        if key == differ.encoder.state.pointee.dictionaryKey { isDictionary = true }
    }

    /// Puts members without an order of their own in order, before any of them is looked up.
    func sort() {
        entries.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        positions = [:]
    }

    /// Ends the collection.
    func finish() { before = [] }

    func append(_ value: some Encodable) throws {
        // Of a single value that is written twice, the last one counts.
        if kind == .single, let first = entries.first {
            differ.checkOverwritten(first.value, slice)
            entries.removeAll(keepingCapacity: true)
        }
        if kind == .unkeyed, try isNextSecret() { insert(Redacted(), "", isRedacted: true) } else { insert(value, "") }
        if entries.count >= limit { throw Probed() }
    }

    /// Sets a member; of two with the same key the last one counts.
    func set(_ value: some Encodable, for key: String) {
        let meaning = meaning(of: key)
        meanings.formUnion(meaning)
        if meaning.contains(.secret) { put(Redacted(), for: key, meaning) } else { put(value, for: key, meaning) }
    }

    private func put(_ value: some Encodable, for key: String, _ meaning: Redactor.Meaning) {
        if let index = index(of: key) {
            let part = entries[index].isRedacted ? .redacted : slice?.member(key) ?? .all
            switch part {
            case .none, .redacted: break
            case .all, .some: differ.checkOverwritten(entries[index].value, part.slice)
            }
            entries[index].value = value
            entries[index].isSame = false
            entries[index].isRedacted = meaning.contains(.secret)
        } else {
            insert(value, key, isRedacted: meaning.contains(.secret), meaning)
        }
    }

    /// Redacts the values that another member names, as the encoder does. The value has ended by now.
    ///
    /// - Throws: Errors from encoding the values.
    func redactSiblings() throws {
        guard kind == .keyed, meanings.isSuperset(of: .pair) else { return }
        var siblings = SiblingNaming()
        for index in entries.indices where entries[index].meaning.contains(.name) && !entries[index].isRedacted {
            let part = slice?.member(entries[index].key) ?? .all
            siblings.add(try differ.naming(of: entries[index].value, part), at: index)
        }
        guard !siblings.isNone else { return }
        for index in entries.indices where entries[index].meaning.contains(.value) && !entries[index].isRedacted {
            let part = slice?.member(entries[index].key) ?? .all
            if case .none = part { continue }
            guard siblings[index] != .none,
                try siblings[index].isSecret(differ.firstByte(of: entries[index].value, part.slice))
            else { continue }
            entries[index].value = Redacted()
            entries[index].isSame = false
            entries[index].isRedacted = true
        }
    }

    /// A container inside this one, as the next element.
    func nested() -> Contents {
        let part = slice?.element ?? .all
        guard let nested = inside(part) else { return self }
        if case .redacted = part { insert(Redacted(), "", isRedacted: true) } else { insert(nested, "") }
        return nested
    }

    /// The nested container that is this key's member.
    func nested(for key: String) -> Contents {
        if let index = index(of: key), let nested = entries[index].value as? Contents { return nested }
        guard let nested = inside(slice?.member(key) ?? .all) else { return self }
        set(nested, for: key)
        return nested
    }

    /// Nil if it would be too deep: a longer chain would overflow the stack when it is freed.
    private func inside(_ part: Slice.Part) -> Contents? {
        guard depth < DirectEncoder.depthLimit else {
            differ.misuse = differ.path.tooDeep
            return nil
        }
        return Contents(of: differ, part.slice, depth: depth + 1)
    }

    private func insert(
        _ value: some Encodable, _ key: String, isRedacted: Bool = false, _ meaning: Redactor.Meaning = []
    ) {
        let index = entries.count
        if index < before.count, kind != .keyed || before[index].key.hasSameUTF8(as: key),
            differ.isSame(before[index].value, value)
        {
            entries.append(
                Entry(
                    key: key, value: before[index].value, isSame: true, isRedacted: before[index].isRedacted,
                    meaning: meaning))
        } else {
            entries.append(
                Entry(key: key, value: value, isSame: false, isRedacted: isRedacted, meaning: meaning))
        }
    }

    private func meaning(of key: String) -> Redactor.Meaning {
        if case .redacted? = slice?.member(key) { return .secret }
        let meaning = differ.encoder.names.meaning(ofBare: key)
        return isDictionary ? meaning.inDictionary(key) : meaning
    }

    /// Whether the next element is secret: as any element, or as the value of the key before it.
    private func isNextSecret() throws -> Bool {
        let part = slice?.element
        if case .redacted? = part { return true }
        guard [.dictionary, .pairs, .named].contains(collection), !entries.count.isMultiple(of: 2),
            let key = entries.last
        else { return false }
        // The same key has the same answer.
        if key.isSame, entries.count < before.count { return before[entries.count].isRedacted }
        return try differ.isSecret(key: key.value, part?.slice, isText: collection == .named)
    }

    /// Whether both have the same keys in the same order.
    func hasKeys(of other: Contents) -> Bool {
        guard entries.count == other.entries.count else { return false }
        return entries.withUnsafeBufferPointer { left in
            other.entries.withUnsafeBufferPointer { right in
                left.indices.allSatisfy { left[$0].key.hasSameUTF8(as: right[$0].key) }
            }
        }
    }

    /// The position of a key.
    ///
    /// - Parameter guess: The probable position.
    func index(of key: String, guess: Int? = nil) -> Int? {
        if let guess, guess < entries.count, entries[guess].key.hasSameUTF8(as: key) { return guess }
        guard entries.count > 16 else { return entries.firstIndex { $0.key.hasSameUTF8(as: key) } }
        // Among many keys, an index is faster.
        for position in positions.count..<entries.count { positions[UTF8Text(entries[position].key)] = position }
        return positions[UTF8Text(key)]
    }
}

/// Stops an encoding of which only the beginning is needed.
struct Probed: Error {}

extension Contents: KnownLeaf { static var leaf: Leaf { .none } }

extension Contents: Encodable {
    func encode(to encoder: any Encoder) throws {
        switch kind {
        case .none: break
        case .single:
            var container = encoder.singleValueContainer()
            if let value = entries.first?.value { try container.encode(value) }
        case .keyed:
            var container = encoder.container(keyedBy: PlainKey.self)
            for entry in entries { try container.encode(entry.value, forKey: PlainKey(entry.key)) }
        case .unkeyed:
            var container = encoder.unkeyedContainer()
            for entry in entries { try container.encode(entry.value) }
        }
    }
}
