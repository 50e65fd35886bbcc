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

    private(set) var kind = Kind.none
    /// The key of each value of a keyed container.
    private(set) var keys: [String] = []
    private(set) var values: [any Encodable] = []
    /// Of each value whether it is surely the same as the one before it; see `before`.
    private(set) var isSame: [Bool] = []
    /// Whether the value asked for containers of two kinds, which no encoder can write.
    private(set) var isBroken = false
    private unowned let differ: Differ
    /// The contents of the value that this one comes after: what is the same at the same position is not copied again.
    private let before: Contents?
    /// How many values are wanted.
    private let limit: Int
    private var positions: [UTF8Text: Int] = [:]

    init(of differ: Differ, after before: Contents? = nil, limit: Int = .max) {
        self.differ = differ
        self.before = before
        self.limit = limit
    }

    var codingPath: [any CodingKey] { differ.path.codingPath }

    /// Settles the kind of container.
    func ask(for kind: Kind) {
        if self.kind == .none { self.kind = kind }
        if self.kind != kind { isBroken = true }
    }

    /// - Throws: `EncodingError` where nothing sensible was written.
    func check() throws {
        guard isBroken else { return }
        throw EncodingError.invalidValue(
            self, .init(codingPath: codingPath, debugDescription: "containers of two kinds for one value"))
    }

    func append(_ value: some Encodable) throws {
        // A single value that is written twice is what was written last.
        if kind == .single, !values.isEmpty {
            values.removeAll()
            isSame.removeAll()
        }
        insert(value)
        if values.count >= limit { throw Probed() }
    }

    /// Sets a member; of two with the same key the last one counts.
    func set(_ value: some Encodable, for key: String) {
        if let index = index(of: key) {
            values[index] = value
            isSame[index] = false
        } else {
            keys.append(key)
            insert(value)
        }
    }

    /// A container inside this one, as the next element.
    func nested() -> Contents {
        let nested = Contents(of: differ)
        insert(nested)
        return nested
    }

    /// The container that is the member of this key.
    func nested(for key: String) -> Contents {
        if let index = index(of: key), let nested = values[index] as? Contents { return nested }
        let nested = Contents(of: differ)
        set(nested, for: key)
        return nested
    }

    private func insert(_ value: some Encodable) {
        let index = values.count
        if let before, index < before.values.count, kind != .keyed || before.hasKey(keys[index], at: index),
            differ.isSame(before.values[index], value)
        {
            values.append(before.values[index])
            isSame.append(true)
        } else {
            values.append(value)
            isSame.append(false)
        }
    }

    private func hasKey(_ key: String, at index: Int) -> Bool {
        index < keys.count && keys[index].hasSameUTF8(as: key)
    }

    /// The position of a key.
    ///
    /// - Parameter guess: Where it probably is.
    func index(of key: String, guess: Int? = nil) -> Int? {
        if let guess, hasKey(key, at: guess) { return guess }
        guard keys.count > 16 else { return keys.firstIndex { $0.hasSameUTF8(as: key) } }
        // Of many keys one is found by an index.
        for position in positions.count..<keys.count { positions[UTF8Text(keys[position])] = position }
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
            if let value = values.first { try container.encode(value) }
        case .keyed:
            var container = encoder.container(keyedBy: PlainKey.self)
            for (key, value) in zip(keys, values) { try container.encode(value, forKey: PlainKey(key)) }
        case .unkeyed:
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(value) }
        }
    }
}
