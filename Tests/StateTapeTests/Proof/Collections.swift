import TapeFormat

@testable import StateTape

extension Optional: Arbitrary where Wrapped: Arbitrary {
    static func random(_ random: inout Seeded, size: Int) -> Self {
        random.once(in: 3) ? nil : .some(.random(&random, size: size))
    }

    mutating func edit(_ random: inout Seeded) {
        if self == nil || random.once(in: 4) { self = .random(&random, size: 2) } else { self?.edit(&random) }
    }

    mutating func rebuild() { self?.rebuild() }
    static func normalised(_ json: JSON) -> JSON { json.isNull ? json : Wrapped.normalised(json) }
}

extension Optional: ArbitraryKey where Wrapped: ArbitraryKey {}

/// The common part of all kinds of arrays.
protocol ArbitraryList: Arbitrary, RangeReplaceableCollection, MutableCollection, RandomAccessCollection
where Element: Arbitrary, Index == Int {}

extension ArbitraryList {
    static func random(_ random: inout Seeded, size: Int) -> Self {
        let count = random.count(size)
        return Self((0..<count).map { _ in .random(&random, size: count > 6 ? 0 : size / 2) })
    }

    mutating func edit(_ random: inout Seeded) {
        guard !isEmpty, !random.once(in: 6) else {
            insert(.random(&random, size: 2), at: random.below(count + 1))
            if count > 300 { removeLast(20) }
            return
        }
        let (index, other) = (random.below(count), random.below(count))
        switch random.below(10) {
        case 0: remove(at: index)
        case 1: insert(remove(at: index), at: other)
        case 2: swapAt(index, other)
        case 3: insert(self[index], at: other)
        case 4: if random.once(in: 2) { shuffle(using: &random) } else { reverse() }
        case 5: self = random.once(in: 2) ? Self() : .random(&random, size: 4)
        case 6: rebuild()
        case 7: reserveCapacity(count * 2 + 1)
        default: self[index].edit(&random)
        }
    }

    mutating func rebuild() {
        self = Self(
            map { element in
                var element = element
                element.rebuild()
                return element
            })
    }

    static func normalised(_ json: JSON) -> JSON { json.everyElement(Element.normalised) }
}

extension Array: Arbitrary, ArbitraryList where Element: Arbitrary {}
extension ContiguousArray: Arbitrary, ArbitraryList where Element: Arbitrary {}
extension Array: ArbitraryKey where Element: ArbitraryKey {}

extension Collection where Element: ArbitraryKey {
    /// One element, the same for every order of hashing.
    fileprivate func one(_ random: inout Seeded) -> Element {
        let encoder = TreeEncoder()
        let texts = map { element in ((try? Element.normalised(encoder.tree(of: element)).text) ?? "", element) }
        return texts.sorted { $0.0 < $1.0 }[random.below(count)].1
    }
}

extension Set: Arbitrary, ArbitraryKey where Element: ArbitraryKey {
    static func random(_ random: inout Seeded, size: Int) -> Set {
        Set((0..<random.count(size)).map { _ in .random(&random, size: size / 2) })
    }

    mutating func edit(_ random: inout Seeded) {
        guard !isEmpty, !random.once(in: 3) else {
            insert(.random(&random, size: 2))
            return
        }
        if random.once(in: 4) { return rebuild() }
        guard var element = remove(one(&random)), random.once(in: 2) else { return }
        element.edit(&random)
        insert(element)
    }

    mutating func rebuild() {
        var copy = Set(minimumCapacity: count * 3)
        for var element in self {
            element.rebuild()
            copy.insert(element)
        }
        self = copy
    }

    static func normalised(_ json: JSON) -> JSON { json.sortedElements(Element.normalised) }
}

extension Dictionary: Arbitrary where Key: ArbitraryKey, Value: Arbitrary {
    static func random(_ random: inout Seeded, size: Int) -> Dictionary {
        var dictionary = Dictionary()
        for _ in 0..<random.count(size) {
            dictionary.updateValue(.random(&random, size: size / 2), forKey: .random(&random, size: 1))
        }
        return dictionary
    }

    mutating func edit(_ random: inout Seeded) {
        guard !isEmpty, !random.once(in: 4) else {
            updateValue(.random(&random, size: 2), forKey: .random(&random, size: 1))
            return
        }
        var key = keys.one(&random)
        switch random.below(6) {
        case 0: removeValue(forKey: key)
        case 1: rebuild()
        case 2:
            guard let value = removeValue(forKey: key) else { return }
            key.edit(&random)
            updateValue(value, forKey: key)
        default: self[key]?.edit(&random)
        }
    }

    mutating func rebuild() {
        var copy = Dictionary(minimumCapacity: count * 3)
        for (var key, var value) in self {
            key.rebuild()
            value.rebuild()
            copy.updateValue(value, forKey: key)
        }
        self = copy
    }

    static func normalised(_ json: JSON) -> JSON {
        Key.self is any CodingKeyRepresentable.Type
            ? json.everyMember(Value.normalised) : json.sortedPairs(Key.normalised, Value.normalised)
    }
}
