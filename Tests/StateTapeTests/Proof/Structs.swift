import Foundation
import TapeFormat

// Structs whose encoding the compiler makes, with parts of any type: their layouts have padding inside and at the end.

struct Empty: ArbitraryKey {
    static func random(_ random: inout Seeded, size: Int) -> Empty { Empty() }
}

struct Pair<A: Arbitrary, B: Arbitrary>: Composite {
    var a: A
    var b: B

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(a: .random(&random, size: size), b: .random(&random, size: size))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&a)
        visitor.part(&b)
    }

    static func normalised(_ json: JSON) -> JSON { json.members(["a": A.normalised, "b": B.normalised]) }
}

struct Padded<A: Arbitrary, B: Arbitrary, C: Arbitrary>: Composite {
    private var flag: Bool
    private var a: A
    private var byte: UInt8
    private var b: B
    private var number: Int64
    private var c: C
    private var last: Bool

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(
            flag: .random(&random, size: 0), a: .random(&random, size: size), byte: .random(&random, size: 0),
            b: .random(&random, size: size), number: .random(&random, size: 0), c: .random(&random, size: size),
            last: .random(&random, size: 0))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&flag)
        visitor.part(&a)
        visitor.part(&byte)
        visitor.part(&b)
        visitor.part(&number)
        visitor.part(&c)
        visitor.part(&last)
    }

    static func normalised(_ json: JSON) -> JSON {
        json.members(["a": A.normalised, "b": B.normalised, "c": C.normalised])
    }
}

/// A struct of two numbers: a key that is written as an object.
struct Cell: ArbitraryKey, Composite {
    private var row: Int8
    private var column: Int

    static func random(_ random: inout Seeded, size: Int) -> Cell {
        Cell(row: Int8(random.below(3)), column: random.below(3))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&row)
        visitor.part(&column)
    }
}

/// An element of a list: usually each has a unique `id`.
struct Item<ID: ArbitraryKey, A: Arbitrary>: Composite, Identifiable {
    private(set) var id: ID
    private var isDone: Bool
    private var value: A

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(id: .random(&random, size: 2), isDone: .random(&random, size: 0), value: .random(&random, size: size))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&id)
        visitor.part(&isDone)
        visitor.part(&value)
    }

    static func normalised(_ json: JSON) -> JSON { json.members(["id": ID.normalised, "value": A.normalised]) }
}

/// Has an `id` without being `Identifiable`, from a range so large that most are unique.
struct Numbered<A: Arbitrary>: Composite {
    private var value: A
    private var id: Int

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(value: .random(&random, size: size), id: random.below(1_000))
    }

    mutating func visit(_ visitor: inout PartVisitor) { visitor.part(&value) }
    static func normalised(_ json: JSON) -> JSON { json.members(["value": A.normalised]) }
}

/// Members that the compiler leaves out where they are nil.
struct Sparse<A: Arbitrary, B: Arbitrary>: Composite {
    private var a: A?
    private var count: UInt16?
    private var b: B??
    private var flag: Bool?

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(
            a: .random(&random, size: size), count: .random(&random, size: 0), b: .random(&random, size: size),
            flag: .random(&random, size: 0))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&a)
        visitor.part(&count)
        visitor.part(&b)
        visitor.part(&flag)
    }

    static func normalised(_ json: JSON) -> JSON {
        json.members(["a": { A?.normalised($0) }, "b": { B?.normalised($0) }])
    }
}

/// Members under other names, one that isn't written, and a tuple that isn't either.
struct Renamed<A: Arbitrary, B: Arbitrary>: Composite {
    private var a: A
    private var cache = 0
    private var place: (Int8, Double) = (0, 0)
    private var b: B
    private var text: String

    private enum CodingKeys: String, CodingKey {
        case a = "a/b~c"
        case b = ""
        case text = "tëxt \"1\""
    }

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(a: .random(&random, size: size), b: .random(&random, size: size), text: .random(&random, size: 0))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&a)
        visitor.part(&cache)
        visitor.part(&place.0)
        visitor.part(&b)
        visitor.part(&text)
    }

    static func normalised(_ json: JSON) -> JSON { json.members(["a/b~c": A.normalised, "": B.normalised]) }
}

/// A parameter that no stored part has.
struct Tagged<Tag, A: Arbitrary>: Composite {
    private var value: A

    static func random(_ random: inout Seeded, size: Int) -> Self { Self(value: .random(&random, size: size)) }
    mutating func visit(_ visitor: inout PartVisitor) { visitor.part(&value) }
    static func normalised(_ json: JSON) -> JSON { json.members(["value": A.normalised]) }
}

/// A struct without parameters, as most states are: its layout, with optionals in spare bits, is known when it is compiled.
struct Document: Composite, Identifiable {
    private struct Page: Composite {
        var number: UInt16
        var mark: Flavour?
        var text: String?
        var isOpen: Bool?

        static func random(_ random: inout Seeded, size: Int) -> Page {
            Page(
                number: .random(&random, size: 0), mark: .random(&random, size: 0), text: .random(&random, size: 0),
                isOpen: .random(&random, size: 0))
        }

        mutating func visit(_ visitor: inout PartVisitor) {
            visitor.part(&number)
            visitor.part(&mark)
            visitor.part(&text)
            visitor.part(&isOpen)
        }
    }

    private(set) var id: UUID
    private var isPinned: Bool
    private var front: Page?
    private var pages: [Page]
    private var state: Loading?
    private var ratio: Float
    private var places: [Colour: ClosedRange<Int>?]

    static func random(_ random: inout Seeded, size: Int) -> Document {
        Document(
            id: .random(&random, size: 0), isPinned: .random(&random, size: 0), front: .random(&random, size: 0),
            pages: .random(&random, size: size), state: .random(&random, size: size), ratio: .random(&random, size: 0),
            places: .random(&random, size: size))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&id)
        visitor.part(&isPinned)
        visitor.part(&front)
        visitor.part(&pages)
        visitor.part(&state)
        visitor.part(&ratio)
        visitor.part(&places)
    }

    static func normalised(_ json: JSON) -> JSON {
        json.members(["places": { [Colour: ClosedRange<Int>?].normalised($0) }])
    }
}
