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
    /// Whether the value asked for containers of two kinds, which no encoder can write.
    private(set) var isBroken = false
    let path: Path
    /// How many values are wanted.
    private let limit: Int
    private var positions: [UTF8Text: Int] = [:]

    init(at path: Path, limit: Int = .max) {
        self.path = path
        self.limit = limit
    }

    /// Settles the kind of container.
    func ask(for kind: Kind) {
        if self.kind == .none { self.kind = kind }
        if self.kind != kind { isBroken = true }
    }

    /// - Throws: `EncodingError` where nothing sensible was written.
    func check() throws {
        guard isBroken else { return }
        throw EncodingError.invalidValue(
            self, .init(codingPath: path.codingPath, debugDescription: "containers of two kinds for one value"))
    }

    func append(_ value: any Encodable) throws {
        // A single value that is written twice is what was written last.
        if kind == .single { values.removeAll() }
        values.append(value)
        if values.count >= limit { throw Probed() }
    }

    /// Sets a member; of two with the same key the last one counts.
    func set(_ value: any Encodable, for key: String) throws {
        insert(value, for: key)
        if values.count >= limit { throw Probed() }
    }

    /// A container inside this one, as the next element.
    func nested() -> Contents {
        let nested = Contents(at: path)
        values.append(nested)
        return nested
    }

    /// The container that is the member of this key.
    func nested(for key: String) -> Contents {
        if let index = index(of: key), let nested = values[index] as? Contents { return nested }
        let nested = Contents(at: path)
        insert(nested, for: key)
        return nested
    }

    private func insert(_ value: any Encodable, for key: String) {
        if let index = index(of: key) {
            values[index] = value
        } else {
            keys.append(key)
            values.append(value)
        }
    }

    /// The position of a key.
    ///
    /// - Parameter guess: Where it probably is.
    func index(of key: String, guess: Int? = nil) -> Int? {
        if let guess, guess < keys.count, keys[guess].hasSameUTF8(as: key) { return guess }
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
