/// Bytes that are not what the tape format allows: says what is wrong and where.
public struct FormatError: Error, Sendable, Equatable, CustomStringConvertible {
    /// One sentence that names the member, and the limit where one was passed.
    public let message: String

    /// The place in the input, in bytes from its start; nil where no single place is to blame.
    public let offset: Int?

    /// Creates an error for a place in the input.
    public init(_ message: String, at offset: Int? = nil) {
        self.message = message
        self.offset = offset
    }

    public var description: String {
        offset.map { "\(message), at byte \($0)" } ?? message
    }

    static func missing(_ member: String, in object: String) -> FormatError {
        FormatError("member “\(member)” of \(object) is missing")
    }

    static func expected(_ what: String, for member: String, in object: String) -> FormatError {
        FormatError("member “\(member)” of \(object) must be \(what)")
    }
}
