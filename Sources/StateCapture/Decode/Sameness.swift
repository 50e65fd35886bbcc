import TapeFormat

/// Compares values as far as `==` and reflection see into them.
struct Sameness {
    /// How many values may still be looked at.
    private var left = 20_000
    private var isInside: Set<ObjectIdentifier> = []

    /// Whether two values are the same.
    ///
    /// - Parameter again: Another decoding of what `one` was decoded from. Parts in which the two differ are new each
    ///   time, such as an id or a date, and count as the same.
    static func areSame(_ one: Any, _ other: Any, again: Any? = nil) -> Bool {
        var sameness = Sameness()
        return sameness.compare(one, other, again)
    }

    private mutating func compare(_ one: Any, _ other: Any, _ again: Any?) -> Bool {
        left -= 1
        var stack = ThreadStack()
        guard left >= 0, !stack.isNearlyFull() else { return false }
        guard type(of: one) == type(of: other) else { return false }
        if let equal = Self.areEqual(one, other) {
            if equal { return true }
            if again == nil { return false }
        }
        if type(of: one) is AnyClass {
            let (one, other) = (one as AnyObject, other as AnyObject)
            // Instances may lead back to one that is compared already.
            if one === other || !isInside.insert(ObjectIdentifier(one)).inserted { return true }
        }
        return compareParts(one, other, again)
    }

    private mutating func compareParts(_ one: Any, _ other: Any, _ again: Any?) -> Bool {
        let (left, right) = (Mirror(reflecting: one), Mirror(reflecting: other))
        let third = again.map { Mirror(reflecting: $0) }
        guard left.displayStyle != nil else { return isNew(one, again) }
        guard left.children.count == right.children.count, Fields.references(in: left).isEmpty else {
            return isNew(one, again)
        }
        if left.children.isEmpty {
            // A case without a value, or a struct or an instance without members.
            if left.displayStyle == .enum, Fields.caseName(of: one) != Fields.caseName(of: other) {
                return isNew(one, again)
            }
            return compareSuperclass(left, right, third)
        }
        if left.displayStyle == .set { return isNew(one, again) }
        if left.displayStyle == .dictionary { return compareEntries(left, right, third) }
        let thirds = third.flatMap { $0.children.count == left.children.count ? Array($0.children) : nil }
        for (index, (one, other)) in zip(left.children, right.children).enumerated() {
            guard one.label == other.label, compare(one.value, other.value, thirds?[index].value) else { return false }
        }
        return compareSuperclass(left, right, third)
    }

    private mutating func compareSuperclass(_ left: Mirror, _ right: Mirror, _ third: Mirror?) -> Bool {
        guard let one = left.superclassMirror, let other = right.superclassMirror else { return true }
        guard one.children.count == other.children.count, Fields.references(in: one).isEmpty else { return false }
        let thirds = third?.superclassMirror.map { Array($0.children) }
        for (index, (left, right)) in zip(one.children, other.children).enumerated() {
            let again = thirds.flatMap { index < $0.count ? $0[index].value : nil }
            guard compare(left.value, right.value, again) else { return false }
        }
        return compareSuperclass(one, other, third?.superclassMirror)
    }

    private mutating func compareEntries(_ left: Mirror, _ right: Mirror, _ third: Mirror?) -> Bool {
        func entries(_ mirror: Mirror?) -> [AnyHashable: Any]? {
            guard let mirror else { return nil }
            var entries: [AnyHashable: Any] = [:]
            for child in mirror.children {
                let pair = Array(Mirror(reflecting: child.value).children)
                guard pair.count == 2, let key = pair[0].value as? AnyHashable else { return nil }
                entries[key] = pair[1].value
            }
            return entries
        }
        guard let left = entries(left), let right = entries(right), left.count == right.count else { return false }
        let third = entries(third)
        for (key, value) in left {
            guard let other = right[key], compare(value, other, third?[key]) else { return false }
        }
        return true
    }

    /// Whether a value that is a whole differs between two decodings of one text.
    private func isNew(_ one: Any, _ again: Any?) -> Bool {
        guard let again else { return false }
        return Self.areEqual(one, again) != true
    }

    /// Whether two values of a type are equal; nil if the type has no `==`.
    private static func areEqual(_ one: Any, _ other: Any) -> Bool? {
        func areEqual<Value: Equatable>(_ one: Value) -> Bool { (other as? Value) == one }
        return (one as? any Equatable).map { areEqual($0) }
    }
}
