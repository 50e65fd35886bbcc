import TapeFormat

/// A wrapper that is written as an object.
@propertyWrapper
struct Stored<Value: Arbitrary>: Encodable {
    var wrappedValue: Value
    private var writes = 0

    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

/// A wrapper that is written as its value.
@propertyWrapper
struct Clamped: Encodable {
    private var value: Int8 = 0
    var wrappedValue: Int8 {
        get { min(value, 9) }
        set { value = newValue }
    }

    init(wrappedValue: Int8) { value = wrappedValue }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

/// A wrapper that writes nothing.
@propertyWrapper
struct Unwritten<Value>: Encodable {
    var wrappedValue: Value

    func encode(to encoder: any Encoder) throws {
        _ = encoder.container(keyedBy: NoKey.self)
    }

    private enum NoKey: CodingKey {}
}

struct Wrapped<A: Arbitrary>: Composite {
    @Stored private var a: A
    @Clamped private var small: Int8
    @Unwritten private var place: (Int, Bool)
    private var count = 0 {
        didSet { if count > 9 { count = 0 } }
    }

    init(a: A, small: Int8) {
        self.a = a
        self.small = small
        place = (0, false)
    }

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(a: .random(&random, size: size), small: .random(&random, size: 0))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&a)
        visitor.part(&small)
        visitor.part(&place.0)
        visitor.part(&count)
    }

    static func normalised(_ json: JSON) -> JSON {
        json.members(["a": { $0.members(["wrappedValue": A.normalised]) }])
    }
}
