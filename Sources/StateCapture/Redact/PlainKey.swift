import TapeFormat

/// A key that belongs to no type of the app.
struct PlainKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(_ index: Int) {
        stringValue = String(index)
        intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(intValue) }
}

extension [any CodingKey] {
    /// The place on the tape, as an RFC 6901 pointer.
    var pointer: String {
        Pointer(map { $0.intValue.map(String.init) ?? Redacted.escaped($0.stringValue) }).description
    }
}
