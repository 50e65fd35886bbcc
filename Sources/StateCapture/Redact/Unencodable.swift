package import TapeFormat

/// The value that the tape has where the app's `encode(to:)` threw: `{"$unencodable":"why"}`.
package struct Unencodable: Hashable {
    static let key = "$unencodable"
    /// The maximum length of a reason, in characters.
    private static let maxReason = 200

    /// The place, with `*` for an array's elements: one note covers all of them.
    package let place: String
    /// The type of the value, and its error, for people.
    let reason: String

    /// - Parameter type: The value's; nil if it is the recorder's own and says nothing.
    init(_ type: Any.Type?, _ error: any Error, at path: [any CodingKey], _ redactor: Redactor) {
        let text: String =
            if case EncodingError.invalidValue(_, let context)? = error as? EncodingError {
                redactor.readable(context.debugDescription)
            } else {
                redactor.readable(error)
            }
        let pointer = Pointer(path.map { $0.intValue == nil ? Redacted.escaped($0.stringValue) : "*" }).description
        place = redactor.secretPlace(in: pointer) ?? pointer
        reason = String((type.map { "\($0): \(text)" } ?? text).prefix(Self.maxReason))
    }

    /// - Parameter what: The action or the state that the value belongs to, such as “the state of store “main””.
    package func note(of what: String) -> String {
        "A value in \(what) could not be encoded, and a marker stands in its place: \(reason), at “\(place)”"
    }
}

extension JSON {
    /// Whether the app could not encode the value of this place.
    package var isUnencodable: Bool { object?.count == 1 && self[Unencodable.key]?.string != nil }

    /// Whether the tape has a marker here in place of the app's value: it is secret or could not be encoded.
    package var isMarker: Bool { isRedacted || isUnencodable }

    /// The first place with a marker; nil without one.
    package var markedPlace: Pointer? { place { $0.isMarker } }

    /// The first place whose value could not be encoded; nil without one.
    package var unencodablePlace: Pointer? { place { $0.isUnencodable } }

    /// The first place in this value that fits.
    func place(where fits: (JSON) -> Bool) -> Pointer? {
        if fits(self) { return Pointer() }
        switch self {
        case .object(let object):
            for member in object {
                if let place = member.value.place(where: fits) { return Pointer([member.key] + place.tokens) }
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                if let place = element.place(where: fits) { return Pointer([String(index)] + place.tokens) }
            }
        default: break
        }
        return nil
    }
}
