import TapeFormat

/// A type that makes random values of itself and edits them.
protocol Arbitrary: Encodable {
    /// - Parameter size: About how many elements a collection may have.
    static func random(_ random: inout Seeded, size: Int) -> Self
    mutating func edit(_ random: inout Seeded)
    /// Becomes an equal value in its own storage.
    mutating func rebuild()
    /// The JSON of a value with unordered parts (sets, dictionaries written as pairs) in a fixed order.
    static func normalised(_ json: JSON) -> JSON
}

extension Arbitrary {
    mutating func edit(_ random: inout Seeded) { self = .random(&random, size: 2) }
    mutating func rebuild() {}
    static func normalised(_ json: JSON) -> JSON { json }
}

/// A value that can be a set's element or a dictionary's key.
protocol ArbitraryKey: Arbitrary, Hashable {}

/// A struct or enum made of parts: editing it edits one of them, or replaces all.
protocol Composite: Arbitrary {
    /// Shows the stored parts to the visitor, which may change them.
    mutating func visit(_ visitor: inout PartVisitor)
}

extension Composite {
    mutating func edit(_ random: inout Seeded) {
        var counter = PartVisitor(.count, random)
        visit(&counter)
        guard counter.seen > 0, !random.once(in: 8) else {
            self = .random(&random, size: 2)
            return
        }
        var editor = PartVisitor(.edit(random.below(counter.seen)), random)
        visit(&editor)
        random = editor.random
    }

    mutating func rebuild() {
        var rebuilder = PartVisitor(.rebuild, Seeded(0))
        visit(&rebuilder)
    }
}

struct PartVisitor {
    enum Purpose {
        case count
        case rebuild
        /// Edits the part of this number.
        case edit(Int)
    }

    private let purpose: Purpose
    private(set) var random: Seeded
    private(set) var seen = 0

    init(_ purpose: Purpose, _ random: Seeded) {
        self.purpose = purpose
        self.random = random
    }

    mutating func part(_ part: inout some Arbitrary) {
        switch purpose {
        case .count: break
        case .rebuild: part.rebuild()
        case .edit(let number): if number == seen { part.edit(&random) }
        }
        seen += 1
    }
}
