import Foundation
import TapeFormat

/// What the tape says of an error that a reducer threw, such as `CartError.tooMany(limit: 3)`.
///
/// A replay compares these texts. So equal errors have equal texts in every process: none depends on a set's order, on
/// the language of the device or on a module's name.
package enum ErrorText {
    /// The maximum length, in Unicode scalars.
    static let maxLength = 2_000
    /// More of an error is not encoded, in bytes.
    private static let maxEncoded = 64 << 10

    /// The text without secrets, of at most ``maxLength``.
    ///
    /// It runs the app's code: a description, or the coding of what the error holds.
    package static func of(_ error: any Error, _ redactor: Redactor) -> String {
        shortened(EncodingMark.set { whole(error, redactor) })
    }

    private static func whole(_ error: any Error, _ redactor: Redactor) -> String {
        if error is EncodingError || error is DecodingError { return named(error, redactor.readable(error)) }
        if let error = foundation(error) {
            let text = error.userInfo[NSLocalizedDescriptionKey] as? String
            return "\(error.domain) \(error.code)" + (text.map { ": " + redactor.readable(shortened($0)) } ?? "")
        }
        let type: Any.Type = type(of: error)
        guard type is any CustomStringConvertible.Type || type is any CustomDebugStringConvertible.Type else {
            return parts(of: error, redactor)
        }
        return named(error, redactor.readable(shortened(String(describing: error))))
    }

    /// An error of Foundation. Only it has a text for people of its own: the system's depends on the device's language.
    private static func foundation(_ error: any Error) -> NSError? {
        if type(of: error) is NSError.Type || error is CocoaError || error is POSIXError { return error as NSError }
        guard (type(of: error) as Any.Type) is any CustomNSError.Type else { return nil }
        let mirror = Mirror(reflecting: error)
        return mirror.children.count == 1 ? mirror.children.first?.value as? NSError : nil
    }

    private static func named(_ error: any Error, _ text: String) -> String {
        let name = ActionName.of(type(of: error))
        return text.hasPrefix(name) ? text : "\(name): \(text)"
    }

    /// The case or the type, and its values by name.
    private static func parts(of failure: any Error, _ redactor: Redactor) -> String {
        let buffer = ByteBuffer()
        let encoder = DirectEncoder(redactor)
        do {
            try encoder.encoding(atMost: maxEncoded) {
                try encoder.encode(action: Reflected(failure, redactor), to: buffer)
            }
            let tree = try JSON(parsing: buffer.array(from: 0))
            let record = ActionName.record(of: failure, tree: tree, ActionNames(decoding: []), redactor).json
            return name(record["type"]?.string ?? "") + values(record["payload"])
        } catch {
            return name(ActionName.uncoded(failure, nil)) + "(…)"
        }
    }

    private static func name(_ type: String) -> String { ActionName.split(type).joined(separator: ".") }

    private static func values(_ payload: JSON?) -> String {
        guard let payload else { return "" }
        guard !payload.isRedacted, let object = payload.object else { return "(\(text(payload)))" }
        return "("
            + object.map { member in
                member.key.hasPrefix("_") ? text(member.value) : "\(member.key): \(text(member.value))"
            }.joined(separator: ", ") + ")"
    }

    private static func text(_ value: JSON) -> String { value.isRedacted ? Redacted.key : value.text }

    private static func shortened(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: maxLength, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(text[..<end]) + "…"
    }
}
