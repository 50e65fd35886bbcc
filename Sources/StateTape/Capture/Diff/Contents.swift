import TapeFormat

/// What a value's `encode(to:)` wrote into one container: the values themselves, not their text.
///
/// The containers that it asks for inside, and the ones it lends to a superclass, are contents as well; they may be
/// written to as long as the whole encoding lasts.
final class Contents {
    enum Kind {
        /// No container was asked for.
        case none
        case single
        case keyed
        case unkeyed
    }

    /// A member of a keyed container or an element of another.
    struct Entry {
        /// Empty but in keyed containers.
        let key: String
        var value: any Encodable
        /// Whether it is surely the same as the one at this position before.
        var isSame: Bool
        /// Whether the value is ``Redacted``.
        var isRedacted = false
    }

    private(set) var kind = Kind.none
    private(set) var entries: [Entry] = []
    /// Whether the value asked for containers of two kinds, which no encoder can write.
    private(set) var isBroken = false
    private unowned let differ: Differ
    private let slice: Slice?
    /// Whether the elements may be keys and values that take turns.
    private let hasPairs: Bool
    /// What the value had before: an entry that is the same at the same position is not copied again.
    private var before: [Entry]
    /// How many entries are wanted.
    private let limit: Int
    private var positions: [UTF8Text: Int] = [:]

    init(of differ: Differ, _ slice: Slice?, hasPairs: Bool = false, after before: Contents? = nil, limit: Int = .max) {
        self.differ = differ
        self.slice = slice
        self.hasPairs = hasPairs
        self.before = before?.entries ?? []
        self.limit = limit
        entries.reserveCapacity(self.before.count)
    }

    var codingPath: [any CodingKey] { differ.path.codingPath }

    /// Settles the kind of container.
    func ask(for kind: Kind) {
        if self.kind == .none { self.kind = kind }
        if self.kind != kind { isBroken = true }
    }

    /// All has been written.
    ///
    /// - Throws: `EncodingError` where nothing sensible was.
    func finish() throws {
        before = []
        guard isBroken else { return }
        throw EncodingError.invalidValue(
            Null(), .init(codingPath: codingPath, debugDescription: "containers of two kinds for one value"))
    }

    func append(_ value: some Encodable) throws {
        // A single value that is written twice is what was written last.
        if kind == .single { entries.removeAll(keepingCapacity: true) }
        if kind == .unkeyed, try isNextSecret() { insert(Redacted(), "", isRedacted: true) } else { insert(value, "") }
        if entries.count >= limit { throw Probed() }
    }

    /// Sets a member; of two with the same key the last one counts.
    func set(_ value: some Encodable, for key: String) {
        if isSecret(key) { put(Redacted(), for: key, isRedacted: true) } else { put(value, for: key) }
    }

    private func put(_ value: some Encodable, for key: String, isRedacted: Bool = false) {
        if let index = index(of: key) {
            entries[index].value = value
            entries[index].isSame = false
            entries[index].isRedacted = isRedacted
        } else {
            insert(value, key, isRedacted: isRedacted)
        }
    }

    /// A container inside this one, as the next element.
    func nested() -> Contents {
        let part = slice?.element ?? .all
        let nested = Contents(of: differ, part.slice)
        if case .redacted = part { insert(Redacted(), "", isRedacted: true) } else { insert(nested, "") }
        return nested
    }

    /// The container that is the member of this key.
    func nested(for key: String) -> Contents {
        if let index = index(of: key), let nested = entries[index].value as? Contents { return nested }
        let nested = Contents(of: differ, slice?.member(key).slice)
        set(nested, for: key)
        return nested
    }

    private func insert(_ value: some Encodable, _ key: String, isRedacted: Bool = false) {
        let index = entries.count
        if index < before.count, kind != .keyed || before[index].key.hasSameUTF8(as: key),
            differ.isSame(before[index].value, value)
        {
            entries.append(
                Entry(key: key, value: before[index].value, isSame: true, isRedacted: before[index].isRedacted))
        } else {
            entries.append(Entry(key: key, value: value, isSame: false, isRedacted: isRedacted))
        }
    }

    private func isSecret(_ key: String) -> Bool {
        if case .redacted? = slice?.member(key) { return true }
        let index = entries.count
        if slice == nil, index < before.count, !key.isEmpty, before[index].key.hasSameUTF8(as: key) {
            return before[index].isRedacted
        }
        return differ.encoder.redactor.isSecret(key)
    }

    /// Whether the next element is secret: as any element, or as the value of the key before it.
    private func isNextSecret() throws -> Bool {
        if case .redacted? = slice?.element { return true }
        guard hasPairs, !entries.count.isMultiple(of: 2), let key = entries.last else { return false }
        // The key's answer holds for the same key again.
        if key.isSame, entries.count < before.count { return before[entries.count].isRedacted }
        return try differ.isSecret(key: key.value)
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
    /// - Parameter guess: Where it probably is.
    func index(of key: String, guess: Int? = nil) -> Int? {
        if let guess, guess < entries.count, entries[guess].key.hasSameUTF8(as: key) { return guess }
        guard entries.count > 16 else { return entries.firstIndex { $0.key.hasSameUTF8(as: key) } }
        // Of many keys one is found by an index.
        for position in positions.count..<entries.count { positions[UTF8Text(entries[position].key)] = position }
        return positions[UTF8Text(key)]
    }
}

/// Thrown out of an encoding of which only the beginning was wanted.
struct Probed: Error {}

/// Nil, as it is written by `encodeNil`.
struct Null: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encodeNil()
    }
}

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
