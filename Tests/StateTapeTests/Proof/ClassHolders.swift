// Types that, by their layout, can change without their bytes changing.

/// An app's copy-on-write type.
struct CopyOnWrite<A: Arbitrary>: Arbitrary {
    private final class Storage {
        var value: A
        init(_ value: A) { self.value = value }
    }

    private var storage: Storage

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(storage: Storage(.random(&random, size: size)))
    }

    func encode(to encoder: any Encoder) throws { try storage.value.encode(to: encoder) }
}

struct Existential<A: Arbitrary>: Arbitrary {
    private var value: any Encodable

    static func random(_ random: inout Seeded, size: Int) -> Self { Self(value: A.random(&random, size: size)) }
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

struct Callback<A: Arbitrary>: Arbitrary {
    private var value: () -> A

    static func random(_ random: inout Seeded, size: Int) -> Self {
        let value = A.random(&random, size: size)
        return Self { value }
    }

    func encode(to encoder: any Encoder) throws { try value().encode(to: encoder) }
}

struct WeakReference: Arbitrary {
    private final class Referent {}
    private weak var referent: Referent?

    static func random(_ random: inout Seeded, size: Int) -> WeakReference { WeakReference(referent: nil) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(referent == nil)
    }
}
