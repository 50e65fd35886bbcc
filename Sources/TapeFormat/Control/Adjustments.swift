/// How a state from the tape differs from the state that the app made of it.
public struct Adjustments: Sendable, Equatable {
    /// A place whose value the app could not keep.
    public struct Loss: Sendable, Equatable {
        /// The place as a JSON pointer.
        public var path: String
        /// Why the value could not be kept.
        public var reason: String
        /// What the app has there now: `initial` (the initial state's value), `nil`, `empty` (an empty value of its
        /// type), `default` (what the type's own decoding gives), or `removed` (nothing). Older apps also say `other`
        /// (the value that another element has there).
        public var instead: String
        /// Whether the value is a secret that was left out of the tape.
        public var isSecret: Bool
        /// The place below ``path`` where the reason lies, if it is another one. Not sent.
        package var cause: String?
        /// Whether the reason may hold a value that was decoded. Not sent.
        package var tellsSecret = true

        public init(path: String, reason: String, instead: String, isSecret: Bool = false) {
            self.path = path
            self.reason = reason
            self.instead = instead
            self.isSecret = isSecret
        }

        fileprivate init(_ members: Members) throws(FormatError) {
            path = try members.string("path")
            reason = try members.string("reason")
            instead = try members.string("instead")
            isSecret = try members.optional("secret", "a boolean", \.bool) ?? false
        }

        fileprivate var json: JSON {
            .object(
                JSON.Object(
                    [("path", .string(path)), ("reason", .string(reason)), ("instead", .string(instead))]
                        + (isSecret ? [("secret", true)] : [])))
        }
    }

    /// Places that the tape lacked and the app filled in, as JSON pointers.
    public var filled: [String]
    /// Places that the app doesn't know.
    public var ignored: [String]
    /// Places of stored members that the tape does not have, where the app's own values stay.
    public var kept: [String]
    public var lost: [Loss]

    public init(filled: [String] = [], ignored: [String] = [], kept: [String] = [], lost: [Loss] = []) {
        self.filled = filled
        self.ignored = ignored
        self.kept = kept
        self.lost = lost
    }

    /// Reads the members `filled`, `ignored`, `kept` and `lost`, each of which may be missing.
    init(_ members: Members) throws(FormatError) {
        filled = try members.strings("filled")
        ignored = try members.strings("ignored")
        kept = try members.strings("kept")
        lost = []
        for loss in try members.optional("lost", "an array", \.array) ?? [] {
            lost.append(try Loss(Members(loss, "each element of “lost”")))
        }
    }

    /// The four lists by name.
    package var members: [(String, JSON)] {
        [
            ("filled", .strings(filled)), ("ignored", .strings(ignored)), ("kept", .strings(kept)),
            ("lost", .array(lost.map(\.json))),
        ]
    }
}
