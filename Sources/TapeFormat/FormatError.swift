/// Invalid input: a violation of the tape format, with its position.
public struct FormatError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The reason in one sentence, with the member and any exceeded limit.
    public let message: String

    /// The position of the error in bytes from the start of the input; nil if it has no single position.
    public let offset: Int?

    /// Creates an error.
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
