/// The conditions with one name, and the negated ones.
struct Conditions<Condition: Sendable>: Sendable {
    /// Whether one of several wanted conditions is enough.
    let areAlternatives: Bool
    var wanted: [Condition] = []
    var unwanted: [Condition] = []

    var isEmpty: Bool { wanted.isEmpty && unwanted.isEmpty }

    func passes(_ meets: (Condition) throws -> Bool) rethrows -> Bool {
        try arePassed(meets) && !unwanted.contains(where: meets)
    }

    /// Whether the wanted conditions alone are met.
    func arePassed(_ meets: (Condition) throws -> Bool) rethrows -> Bool {
        areAlternatives ? try wanted.isEmpty || wanted.contains(where: meets) : try wanted.allSatisfy(meets)
    }

    /// Like ``passes(_:)``, if some conditions are undecided; nil if the result then is.
    func decided(_ meets: (Condition) -> Bool?) -> Bool? {
        var isKnown = true
        func isMet(_ condition: Condition, or unknown: Bool) -> Bool {
            if let isMet = meets(condition) { return isMet }
            isKnown = false
            return unknown
        }
        // Undecided conditions count as passed here.
        guard arePassed({ isMet($0, or: true) }), !unwanted.contains(where: { isMet($0, or: false) }) else {
            return false
        }
        return isKnown ? true : nil
    }
}
