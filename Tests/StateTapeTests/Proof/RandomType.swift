import Foundation

/// Makes nested generic types, whose layouts are made at run time.
struct RandomType {
    private var random: Seeded
    /// Whether values say secrets' names.
    private let saysNames: Bool
    /// Whether the types may fail to encode, or write their place.
    private let fails: Bool

    /// - Returns: A type, the same for the same seed.
    static func make(
        _ random: inout Seeded, sayingNames saysNames: Bool = false, fails: Bool = false
    ) -> any Arbitrary.Type {
        var maker = RandomType(random: random, saysNames: saysNames, fails: fails)
        let type = maker.type(depth: random.below(5))
        random = maker.random
        return type
    }

    private mutating func type(depth: Int) -> any Arbitrary.Type {
        if saysNames, random.once(in: 3) { return naming(type(depth: depth - 1), random.below(4)) }
        if fails, random.once(in: 4) { return failing(type(depth: depth - 1), random.below(6)) }
        guard depth > 0, !random.once(in: 10) else { return leaf() }
        switch random.below(11) {
        case 0...3: return unary(type(depth: depth - 1), random.below(16))
        case 4...7: return binary(type(depth: depth - 1), type(depth: depth - 2), random.below(11))
        case 8: return keyed(key(), type(depth: depth - 1), random.below(5))
        case 9: return ternary(type(depth: depth - 2), type(depth: depth - 1), type(depth: depth - 2))
        default: return random.once(in: 4) ? holder(leaf(), random.below(4)) : unary(key(), random.below(16))
        }
    }

    private mutating func leaf() -> any Arbitrary.Type {
        if random.once(in: 40) {
            return random.one(of: [
                IndexSet.self, URLComponents.self, PersonNameComponents.self, TimeZone.self, Locale.self,
                Calendar.self,
            ])
        }
        guard random.once(in: 4) else { return key() }
        return random.one(of: [
            ClosedRange<Int>.self, Range<Int>.self, SIMD3<Float>.self, CGPoint.self, Loading.self, Shifting.self,
            Document.self,
            [Int].self, [String].self,
        ])
    }

    private mutating func key() -> any ArbitraryKey.Type {
        switch random.below(12) {
        case 0...4: random.one(of: [String.self, Int.self, UUID.self, Name.self, Cell.self])
        case 5, 6: keyOfKey(key(), random.below(4))
        case 7, 8:
            random.one(of: [
                Letter.self, Flavour.self, Priority.self, Colour.self, Empty.self, Date.self, DateInterval.self,
                DateComponents.self, Data.self, Decimal.self, URL.self, IndexPath.self,
            ])
        default:
            random.one(of: [
                Bool.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self,
                UInt32.self, UInt64.self, Float.self, Double.self, Duration.self,
            ])
        }
    }
}

private func naming<A: Arbitrary>(_: A.Type, _ block: Int) -> any Arbitrary.Type {
    switch block {
    case 0: Named<A>.self
    case 1: [Named<A>].self
    case 2: NamedCase<A>.self
    default: NamingText.self
    }
}

private func unary<A: Arbitrary>(_: A.Type, _ block: Int) -> any Arbitrary.Type {
    switch block {
    case 0, 1: [A].self
    case 2: A?.self
    case 3: [Numbered<A>].self
    case 4: [String: A].self
    case 5: ContiguousArray<A>.self
    case 6: Side<A>.self
    case 7: Tree<A>.self
    case 8: Linked<A>.self
    case 9: Wrapped<A>.self
    case 10: Twice<A>.self
    case 11: Computed<A>.self
    case 12: Transferred<A>.self
    case 14: Maybe<A>.self
    case 13: Versioned<A>.self
    default: Discriminated<A>.self
    }
}

private func binary<A: Arbitrary, B: Arbitrary>(_: A.Type, _: B.Type, _ block: Int) -> any Arbitrary.Type {
    switch block {
    case 0: Pair<A, B>.self
    case 1: Either<A, B>.self
    case 2: Sparse<A, B>.self
    case 3: Renamed<A, B>.self
    case 4: Nested<A, B>.self
    case 5: Interleaved<A, B>.self
    case 6: Tuple<A, B>.self
    case 7: Supers<A, B>.self
    case 8: Resilient<A, B>.self
    case 9: ResilientEither<A, B>.self
    default: Conditional<A, Tagged<B, Single<B>>>.self
    }
}

private func ternary<A: Arbitrary, B: Arbitrary, C: Arbitrary>(
    _: A.Type, _: B.Type, _: C.Type
) -> any Arbitrary.Type { Padded<A, B, C>.self }

private func keyed<K: ArbitraryKey, A: Arbitrary>(_: K.Type, _: A.Type, _ block: Int) -> any Arbitrary.Type {
    switch block {
    case 0: Set<K>.self
    case 1: [Item<K, A>].self
    case 2: Pair<Listing<K>, A>.self
    default: [K: A].self
    }
}

private func keyOfKey<K: ArbitraryKey>(_: K.Type, _ block: Int) -> any ArbitraryKey.Type {
    switch block {
    case 0: K?.self
    case 1: Set<K>.self
    case 2: [K].self
    default: Single<K>.self
    }
}

private func failing<A: Arbitrary>(_: A.Type, _ block: Int) -> any Arbitrary.Type {
    switch block {
    case 0...2: Failing<A>.self
    case 3: Located<A>.self
    case 4: Catching<A>.self
    default: Pair<A, Amount>.self
    }
}

private func holder<A: Arbitrary>(_: A.Type, _ block: Int) -> any Arbitrary.Type {
    switch block {
    case 0: CopyOnWrite<A>.self
    case 1: Existential<A>.self
    case 2: Callback<A>.self
    default: Pair<A, WeakReference>.self
    }
}
