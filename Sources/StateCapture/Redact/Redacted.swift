package import TapeFormat

/// The value that replaces a secret on the tape.
///
/// The encoder writes it as ``text``, or with what a text has beside its secret:
/// `{"$redacted":"https://x/?token=$redacted"}`. An app's own member `$redacted` is written as `$$redacted`, `$$redacted`
/// as `$$$redacted` and so on, so that none looks like a redacted value; likewise for ``Unencodable``.
struct Redacted: Encodable {
    static let key = "$redacted"
    static let text: StaticString = #"{"$redacted":true}"#
    /// What comes before the text of ``json(readable:)``.
    static let textStart: StaticString = #"{"$redacted":"#
    static let json: JSON = [key: true]

    /// Replaces a text that names a secret.
    static func json(readable text: String) -> JSON { [key: .string(text)] }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PlainKey.self)
        try container.encode(true, forKey: PlainKey(Self.key))
    }

    /// A member's name as the tape has it.
    static func escaped(_ name: String) -> String { isEscaped(name) ? "$" + name : name }

    /// A member's name as the app has it.
    static func unescaped(_ name: String) -> String {
        name.utf8.starts(with: "$$".utf8) && isEscaped(name) ? String(name.dropFirst()) : name
    }

    /// Whether a member of the app has another name on the tape.
    static func isEscaped(_ name: String) -> Bool {
        let dollar = UInt8(ascii: "$")
        guard name.utf8.first == dollar else { return false }
        let bare = name.utf8.drop { $0 == dollar }
        return bare.elementsEqual("redacted".utf8) || bare.elementsEqual("unencodable".utf8)
    }
}

extension JSON {
    package var isRedacted: Bool {
        object?.count == 1 && (self[Redacted.key] == true || self[Redacted.key]?.string != nil)
    }

    /// The first redacted place in this value; nil without one.
    package var redactedPlace: Pointer? { place { $0.isRedacted } }
}
